// What the coach is asked; a table asks for none of it before its first card.
import { call } from "./api";
import type { HandReview, Hint, Puzzle, PuzzleAnswer } from "./protocol";

export const hintAt = (id: string): Promise<Hint> => call(`/api/tables/${id}/hint`, {});
export const puzzleOfToday = (): Promise<Puzzle> => call("/api/puzzle");
export const answerPuzzle = (date: string, placement: string): Promise<PuzzleAnswer> =>
  call("/api/puzzle", { date, placement });
/** What the coach says of a hand, as far as it is judged by now. */
export const reviewOf = (id: string, number: number): Promise<HandReview> =>
  call(`/api/tables/${id}/hands/${number}/review`);
export const sharedReview = (link: string): Promise<HandReview> => call(`/api/shared/${link}/review`);
