// What the coach says of the showdown, step by step, and which lines of it he means.
import type { Messages } from "../languages/ru";
import type { HandView } from "../protocol";

export interface Point {
  text: string;
  /** Where on the screen it is to be seen. */
  at: string;
}

const line = (number: number): string => `.sheet tbody tr:nth-child(${number})`;

/** The points one after the other; the last one is the end of the lesson. */
export function points({ you, reckoning }: HandView, t: Messages): Point[] {
  const mine = reckoning?.players.find(({ seat }) => seat === you);
  const other = reckoning?.players.find(({ seat }) => seat !== you);
  const [pair] = reckoning?.pairs ?? [];
  if (!mine || !other || !pair) return [];
  const words = t.lesson;
  return [
    { text: words.rowByRow, at: [1, 2, 3].map(line).join() },
    { text: words.scoop(t.points(Math.abs(pair.scoop))), at: line(4) },
    { text: words.royalties(mine.royalties, other.royalties), at: line(5) },
    { text: words.fantasy(t.cards(mine.fantasyland)), at: "[data-testid=next-fantasy]" },
    { text: words.end, at: "[data-testid=play]" },
  ];
}
