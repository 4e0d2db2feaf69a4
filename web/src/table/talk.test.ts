import { afterEach, beforeEach, expect, test, vi } from "vitest";

import said from "../../dev/fixtures/said.json";
import type { SaidView, TableView } from "../protocol";
import { Talk } from "./talk.svelte";

const base = (said as unknown as { view: TableView }).view;
const BORIS = 1;
const MARINA = 2;
let count: number;
const says = (seat: number, phrase: SaidView["phrase"]): SaidView => ({ number: ++count, seat, phrase });
const view = (...lines: SaidView[]): TableView => ({ ...base, said: lines });
const shown = (talk: Talk): string[] => talk.bubbles.map(({ seat, phrase }) => `${String(seat)} ${phrase}`);

/** At the table since before anybody spoke. */
function listener(): Talk {
  const talk = new Talk(base.table);
  talk.hear(view());
  return talk;
}

beforeEach(() => {
  count = 0;
  vi.useFakeTimers();
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("what was said before one came is not said again", () => {
  const talk = new Talk(base.table);
  expect(talk.hear(base)).toEqual([]);
  expect([talk.bubbles, talk.lines]).toEqual([[], []]);
});

test("what is said stands there for four seconds and stays in the list; aloud it is told once", () => {
  const talk = listener();
  const hello = says(BORIS, "hello");
  expect(talk.hear(view(hello))).toEqual([{ ...hello, name: "Борис" }]);
  expect(talk.hear(view(hello))).toEqual([]);
  vi.advanceTimersByTime(3_900);
  expect(shown(talk)).toEqual(["1 hello"]);
  vi.advanceTimersByTime(200);
  expect(shown(talk)).toEqual([]);
  expect(talk.lines).toHaveLength(1);
});

test("of each one the last thing, and that for its whole time", () => {
  const talk = listener();
  talk.hear(view(says(BORIS, "hello")));
  vi.advanceTimersByTime(3_000);
  talk.hear(view(says(BORIS, "thanks"), says(MARINA, "clap"), says(MARINA, "wow")));
  expect(shown(talk)).toEqual(["1 thanks", "2 wow"]);
  vi.advanceTimersByTime(3_000);
  expect(shown(talk)).toEqual(["1 thanks", "2 wow"]);
});

test("one's own words are seen, and not read aloud", () => {
  const talk = listener();
  expect(talk.hear(view(says(base.you ?? 0, "thanks")))).toEqual([]);
  expect(shown(talk)).toEqual(["0 thanks"]);
});

test("whom one does not want to hear is silent at once, and at the next visit", () => {
  const talk = listener();
  talk.hear(view(says(BORIS, "hello"), says(MARINA, "hello")));
  talk.mute("Борис", true);
  expect(shown(talk)).toEqual(["2 hello"]);
  expect(talk.hear(view(says(BORIS, "hurry")))).toEqual([]);
  expect(listener().mutes("Борис")).toBe(true);
  expect(new Talk("another").mutes("Борис")).toBe(false);
  talk.mute("Борис", false);
  expect(listener().mutes("Борис")).toBe(false);
});

test("nobody is heard at any table, until they shall be", () => {
  const talk = listener();
  talk.quiet = true;
  expect(talk.hear(view(says(MARINA, "clap")))).toEqual([]);
  expect(talk.lines).toEqual([]);
  expect(new Talk("another").quiet).toBe(true);
  talk.quiet = false;
  expect(new Talk("another").quiet).toBe(false);
});

test("who has left his seat since is nobody any more", () => {
  const talk = listener();
  const left = { ...view(says(MARINA, "bye")), seats: base.seats.with(MARINA, null) };
  expect(talk.hear(left)).toEqual([]);
});
