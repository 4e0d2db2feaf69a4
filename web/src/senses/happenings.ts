// What happens at the table that is worth a sound, and each of it once: told by what changed between two views, so that
// neither a line that comes back nor a page that is opened anew tells it again.
import type { PlayerView, TableView } from "../protocol";
import { goesOn } from "../table/pause";

/** It is one's turn; one's time is nearly up; Fantasyland is won or begins; the hand is counted. */
export type Happening = "turn" | "hurry" | "fantasy" | "showdown";

/** With how much time left one is hurried, in milliseconds. */
const HURRY = 15_000;

/** Which turn it is that one has now; null where one has none. */
export function turnOf(view: TableView): string | null {
  const mine = sideOf(view);
  if (!view.hand || !mine?.acting || mine.dealt.length === 0) return null;
  return `${view.hand.number}/${String(mine.street)}`;
}

const sideOf = ({ hand }: TableView): PlayerView | undefined => hand?.players.find(({ seat }) => seat === hand.you);

/** What happened from one view to the next, the most important first. */
export function happened(before: TableView, now: TableView): Happening[] {
  const { hand } = now;
  if (!hand) return [];
  const anew = before.hand?.number !== hand.number;
  const counted = hand.reckoning !== null && (anew || !before.hand?.reckoning);
  const won = hand.reckoning?.players.find(({ seat }) => seat === hand.you)?.fantasyland ?? 0;
  const begins = anew && hand.reckoning === null && (sideOf(now)?.fantasyland ?? 0) > 0;
  const turn = turnOf(now);
  return [
    ...((counted && won > 0 && goesOn(now)) || begins ? (["fantasy"] as const) : []),
    ...(turn !== null && turn !== turnOf(before) ? (["turn"] as const) : []),
    ...(counted ? (["showdown"] as const) : []),
  ];
}

export interface Outlets {
  /** To be heard or felt. */
  tell(happening: Happening): void;
  /** It has become one's turn, and it is over. */
  call(view: TableView): void;
  hush(): void;
}

/** Follows a table, and tells what happens at it. */
export class Watch {
  readonly #outlets: Outlets;
  #before: TableView | null = null;
  #left: number | null = null;
  /** The turn that was hurried already. */
  #hurried: string | null = null;

  constructor(outlets: Outlets) {
    this.#outlets = outlets;
  }

  /** `elsewhere`: another window plays the seat, and it is told there. */
  show(view: TableView, elsewhere: boolean): void {
    const before = this.#before;
    this.#before = view;
    const all = before && !elsewhere ? happened(before, view) : [];
    if (all[0]) this.#outlets.tell(all[0]);
    if (all.includes("turn")) this.#outlets.call(view);
    else if (elsewhere || turnOf(view) === null) this.#outlets.hush();
  }

  /** What is left of one's time in all while it runs; null while it does not. */
  time(left: number | null): void {
    const before = this.#left;
    this.#left = left;
    if (left === null || before === null || before <= HURRY || left > HURRY) return;
    const turn = this.#before && turnOf(this.#before);
    if (turn === null || turn === this.#hurried) return;
    this.#hurried = turn;
    this.#outlets.tell("hurry");
  }
}
