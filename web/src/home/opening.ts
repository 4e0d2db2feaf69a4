// How one opened a table last, so that the form begins there.
import { chosenFrom, type Chosen } from "../house/picking.svelte";
import { remember, remembered } from "../remember";

const OPENING = "opening";
const MOST_BOTS = 3;
const LONGEST_TITLE = 40;

/** How a table is opened; `title` is empty where it shall have the usual name. */
export interface Opening {
  rules: Chosen;
  bots: number;
  title: string;
  public: boolean;
}

const FIRST: Opening = { rules: { base: "room", own: {} }, bots: 0, title: "", public: false };

/** How a table was opened last, as far as that was written down and still makes sense. */
export function lastOpening(): Opening {
  let written: unknown;
  try {
    written = JSON.parse(remembered(OPENING) ?? "null");
  } catch {
    return FIRST;
  }
  if (typeof written !== "object" || written === null) return FIRST;
  const { rules, bots, title, public: shown } = written as Partial<Record<keyof Opening, unknown>>;
  return {
    rules: chosenFrom(rules) ?? FIRST.rules,
    bots: typeof bots === "number" && Number.isInteger(bots) ? Math.min(Math.max(bots, 0), MOST_BOTS) : FIRST.bots,
    title: typeof title === "string" ? title.slice(0, LONGEST_TITLE) : FIRST.title,
    public: shown === true,
  };
}

export function keepOpening(opening: Opening): void {
  remember(OPENING, JSON.stringify(opening));
}
