// One street while it is being laid: which cards are down, which one the next tap lays, what is left for the discard.
// Values, not rules: it knows how many cards a row takes and how many the street wants, and nothing of their worth.
import type { Board, Card } from "../protocol";
import { ROWS, SIZE, type Row } from "../rules/rows";
import { parsePlacement, printPlacement } from "./cards";

export interface Laying {
  /** What lies there since earlier streets. */
  base: Board;
  /** The street's cards in order of receipt, and how many of them go to the rows. */
  dealt: readonly Card[];
  needed: number;
  /** What is down, in the order of laying: undo takes the last one back. */
  down: readonly { card: Card; row: Row }[];
  /** What the next tap on a row lays; null when enough are down. */
  selected: Card | null;
}

export function begin(base: Board, dealt: readonly Card[], needed: number, draft: string | null): Laying {
  const arranged = parsePlacement(draft ?? "-/-/-");
  const down = ROWS.flatMap((row) => arranged[row].map((card) => ({ card, row })));
  return withNext({ base, dealt, needed, down: down.filter(({ card }) => dealt.includes(card)), selected: null });
}

const isDown = (laying: Laying, card: Card): boolean => laying.down.some((laid) => laid.card === card);

/** Select the first card that is not down yet, unless one is wanted and free. */
function withNext(laying: Laying, wanted: Card | null = null): Laying {
  if (isComplete(laying)) return { ...laying, selected: null };
  const free = laying.dealt.filter((card) => !isDown(laying, card));
  return { ...laying, selected: wanted !== null && free.includes(wanted) ? wanted : (free[0] ?? null) };
}

/** Whether enough cards are down, so that what is left is the discard. */
export const isComplete = (laying: Laying): boolean => laying.down.length === laying.needed;

/** The cards that go to the discard: none until enough are down. */
export const thrown = (laying: Laying): Card[] =>
  isComplete(laying) ? laying.dealt.filter((card) => !isDown(laying, card)) : [];

/** The rows as they stand, tentative cards included. */
export function boardOf({ base, down }: Laying): Board {
  const add = (row: Row): Card[] => [...base[row], ...down.filter((laid) => laid.row === row).map(({ card }) => card)];
  return { top: add("top"), middle: add("middle"), bottom: add("bottom") };
}

export const room = (laying: Laying, row: Row): number => SIZE[row] - boardOf(laying)[row].length;

/** Lay a card on a row, from the tray or from another row; the same laying where it does not fit. */
export function put(laying: Laying, card: Card, row: Row): Laying {
  const without = laying.down.filter((laid) => laid.card !== card);
  const moved = { ...laying, down: without };
  if (!laying.dealt.includes(card) || isComplete(moved) || room(moved, row) === 0) return laying;
  return withNext({ ...laying, down: [...without, { card, row }] }, laying.selected);
}

/** Take a tentative card back; the next tap lays it elsewhere. */
export function take(laying: Laying, card: Card): Laying {
  if (!isDown(laying, card)) return laying;
  return withNext({ ...laying, down: laying.down.filter((laid) => laid.card !== card) }, card);
}

export function undo(laying: Laying): Laying {
  const last = laying.down.at(-1);
  return last ? take(laying, last.card) : laying;
}

export const reset = (laying: Laying): Laying => withNext({ ...laying, down: [] });

/** Choose the card the next tap lays; choosing the discarded one takes the last laid card back for it. */
export function select(laying: Laying, card: Card): Laying {
  if (isDown(laying, card) || !laying.dealt.includes(card)) return laying;
  return withNext(isComplete(laying) ? undo(laying) : laying, card);
}

export function placementText(laying: Laying): string {
  const row = (name: Row): Card[] => laying.down.filter((laid) => laid.row === name).map(({ card }) => card);
  return printPlacement({
    top: row("top"),
    middle: row("middle"),
    bottom: row("bottom"),
    discards: thrown(laying),
  });
}
