// The table one sits at, so that the home page can lead back to it.
import { forget, remember, remembered } from "../remember";

const KEY = "table";

export interface LastTable {
  id: string;
  name: string;
}

/** The table one was seated at last and has not left; null where there is none. */
export function lastTable(): LastTable | null {
  // An id has no spaces; a name may have some.
  const [, id = "", name = ""] = /^(\S+) (.+)$/.exec(remembered(KEY) ?? "") ?? [];
  return id === "" ? null : { id, name };
}

export function keepTable({ id, name }: LastTable): void {
  remember(KEY, `${id} ${name}`);
}

/** One does not sit at this table, or it is gone. */
export function dropTable(id: string): void {
  if (lastTable()?.id === id) forget(KEY);
}
