// One street while it is being laid: which cards are down, which one the next tap lays, what is left for the discard.
// Values, not rules: it knows how many cards a row takes and how many the street wants, and nothing of their worth.
import type { Board, Card } from "../protocol";
import { rankOf, ROWS, SIZE, type Row } from "../rules/rows";
import { parsePlacement, printPlacement } from "./cards";

export interface Laying {
  /** What lies there since earlier streets. */
  base: Board;
  /** The street's cards in order of receipt, in the order they are shown in, and how many of them go to the rows. */
  dealt: readonly Card[];
  shown: readonly Card[];
  needed: number;
  /** What is down, in the order of laying: undo takes the last one back. */
  down: readonly { card: Card; row: Row }[];
  /** What the next tap on a row lays; null when enough are down. */
  selected: Card | null;
}

export const SORTS = ["rank", "pairs", "suit"] as const;
export type Sort = (typeof SORTS)[number];

/** How many cards there have to be in hand for an order of them to be worth choosing. */
const WORTH_SORTING = 3;

/** More cards than a street has: Fantasyland, where rows are kept in order. */
export const isLong = ({ needed }: Pick<Laying, "needed">): boolean => needed > 5;

/** Cards from the highest down, or what is held more often first, or the longest suit first. */
export function sorted(cards: readonly Card[], by: Sort): Card[] {
  const times = (card: Card, at: 0 | 1): number => cards.filter((other) => other[at] === card[at]).length;
  const suits = "shdc";
  const first: (a: Card, b: Card) => number = {
    rank: () => 0,
    pairs: (a: Card, b: Card) => times(b, 0) - times(a, 0),
    suit: (a: Card, b: Card) => times(b, 1) - times(a, 1) || suits.indexOf(a.charAt(1)) - suits.indexOf(b.charAt(1)),
  }[by];
  return cards.toSorted(
    (a, b) => first(a, b) || rankOf(b) - rankOf(a) || suits.indexOf(a.charAt(1)) - suits.indexOf(b.charAt(1)),
  );
}

/** The same laying with its cards shown in another order. */
export function sort(laying: Laying, by: Sort): Laying {
  return { ...laying, shown: sorted(laying.dealt, by) };
}

export function begin(
  base: Board,
  dealt: readonly Card[],
  needed: number,
  draft: string | null,
  by: Sort | null = null,
): Laying {
  const arranged = parsePlacement(draft ?? "-/-/-");
  const down = ROWS.flatMap((row) => arranged[row].map((card) => ({ card, row })));
  const shown = by === null ? dealt : sorted(dealt, by);
  return withNext({
    base,
    dealt,
    shown,
    needed,
    down: down.filter(({ card }) => dealt.includes(card)),
    selected: null,
  });
}

const isDown = (laying: Laying, card: Card): boolean => laying.down.some((laid) => laid.card === card);

/** The cards still in hand, as they are shown. */
export const free = (laying: Laying): Card[] => laying.shown.filter((card) => !isDown(laying, card));

/** What the tray shows, in its order: of a whole board what is in hand, of a street every card, the discard last. */
export function inTray(laying: Laying): Card[] {
  if (isLong(laying)) return free(laying);
  const bin = thrown(laying);
  return laying.shown.toSorted((a, b) => Number(bin.includes(a)) - Number(bin.includes(b)));
}

export const isWorthSorting = (laying: Laying): boolean => !isComplete(laying) && free(laying).length >= WORTH_SORTING;

/** Select what is wanted if it is free, else the next free card after the one just laid. */
function withNext(laying: Laying, wanted: Card | null = null, laid: Card | null = null): Laying {
  if (isComplete(laying)) return { ...laying, selected: null };
  const left = free(laying);
  const from = laid === null ? -1 : laying.shown.indexOf(laid);
  const next = left.find((card) => laying.shown.indexOf(card) > from) ?? left[0] ?? null;
  return { ...laying, selected: wanted !== null && left.includes(wanted) ? wanted : next };
}

/** Select the free card so many places further; at the end the first one follows. */
export function step(laying: Laying, by: number): Laying {
  const left = free(laying);
  if (laying.selected === null || left.length === 0) return laying;
  return { ...laying, selected: left.at((left.indexOf(laying.selected) + by) % left.length) ?? null };
}

/** Whether enough cards are down, so that what is left is the discard. */
export const isComplete = (laying: Laying): boolean => laying.down.length === laying.needed;

/** The cards that go to the discard: none until enough are down. */
export const thrown = (laying: Laying): Card[] =>
  isComplete(laying) ? laying.dealt.filter((card) => !isDown(laying, card)) : [];

/** The rows as they stand, tentative cards included. */
export function boardOf(laying: Laying): Board {
  const { base } = laying;
  const add = (row: Row): Card[] => [...base[row], ...inRow(laying, row)];
  return { top: add("top"), middle: add("middle"), bottom: add("bottom") };
}

/** What is tentative in a row: as it was laid or, where a whole board is, what belongs together side by side. */
function inRow(laying: Laying, row: Row): Card[] {
  const cards = laying.down.filter((laid) => laid.row === row).map(({ card }) => card);
  return isLong(laying) ? sorted(cards, "pairs") : cards;
}

export const room = (laying: Laying, row: Row): number => SIZE[row] - boardOf(laying)[row].length;

/** Lay a card on a row, from the tray or from another row; the same laying where it does not fit. */
export function put(laying: Laying, card: Card, row: Row): Laying {
  const without = laying.down.filter((laid) => laid.card !== card);
  const moved = { ...laying, down: without };
  if (!laying.dealt.includes(card) || isComplete(moved) || room(moved, row) === 0) return laying;
  return withNext({ ...laying, down: [...without, { card, row }] }, laying.selected, card);
}

/** Lay a card that was carried there: where the street is full already, it changes places with the one laid last. */
export function drop(laying: Laying, card: Card, row: Row): Laying {
  const free = select(laying, card);
  const laid = put(free, card, row);
  return laid === free ? laying : laid;
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
  return printPlacement({
    top: inRow(laying, "top"),
    middle: inRow(laying, "middle"),
    bottom: inRow(laying, "bottom"),
    discards: thrown(laying),
  });
}
