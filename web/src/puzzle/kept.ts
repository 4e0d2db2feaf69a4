// What this browser remembers of the daily puzzle: the last answer, and how many days in a row have gone well.
import type { Puzzle, StreetReview } from "../protocol";
import { remember, remembered } from "../remember";

const PUZZLE = "puzzle";

/** `near`: a better move was there, by too little to be called an inaccuracy. */
export type Result = "solved" | "near" | "not";
const RESULTS: readonly Result[] = ["solved", "near", "not"];

export interface Solved {
  date: string;
  number: number;
  placement: string;
  result: Result;
  /** Days in a row up to this one, none of them missed. */
  streak: number;
}

/** The day of the puzzle: all over the world it changes at the same moment. */
export const today = (): string => new Date().toISOString().slice(0, 10);

export function resultOf(verdict: StreetReview["verdict"]): Result {
  if (verdict === "mistake" || verdict === "inaccuracy") return "not";
  return verdict === "near" ? "near" : "solved";
}

/** The last answer, whatever day it was given on; null where there is none. */
export function lastSolved(): Solved | null {
  let written: unknown;
  try {
    written = JSON.parse(remembered(PUZZLE) ?? "null");
  } catch {
    return null;
  }
  if (typeof written !== "object" || written === null) return null;
  const { date, number, placement, result, streak } = written as Partial<Record<keyof Solved, unknown>>;
  const known = RESULTS.find((one) => one === result);
  if (typeof date !== "string" || typeof placement !== "string" || known === undefined) return null;
  if (!Number.isSafeInteger(number) || !Number.isSafeInteger(streak)) return null;
  return { date, number: number as number, placement, result: known, streak: streak as number };
}

/** An answer to today's puzzle after the one before; the first one to a puzzle is the one that counts. */
export function following(
  last: Solved | null,
  { date, number }: Pick<Puzzle, "date" | "number">,
  placement: string,
  result: Result,
): Solved {
  if (last?.date === date) return last;
  const before = last?.number === number - 1 ? last.streak : 0;
  return { date, number, placement, result, streak: result === "not" ? 0 : before + 1 };
}

export function keepSolved(solved: Solved): void {
  remember(PUZZLE, JSON.stringify(solved));
}
