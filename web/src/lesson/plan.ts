// What can still become of the lesson's hand. It knows every card to come, and where the hand is to lead: queens on top
// of a board that is not dead. Whatever leads there is allowed.
import { boardOf, thrown, type Laying } from "../board/laying";
import type { Board, Card } from "../protocol";
import { CATEGORIES, compare, fouled, outlook, ROWS, SIZE, worth, type Row } from "../rules/rows";
import { DEALT, placed, RULES, SHOWN } from "./hand";

/** Where a card goes. */
export interface Step {
  card: Card;
  row: Row;
}

/** Lower rows first: there strong cards belong. */
const UPWARDS = ROWS.toReversed();
/** How much a strong row is worth having. */
const WEIGHT: Record<Row, number> = { top: 1, middle: 2, bottom: 3 };

export const isQueen = (card: Card): boolean => card.startsWith("Q");

/** A board with more cards on it. */
export function after(board: Board, steps: readonly Step[]): Board {
  const of = (row: Row): Card[] => steps.filter((step) => step.row === row).map(({ card }) => card);
  return placed(board, { top: of("top"), middle: of("middle"), bottom: of("bottom") });
}

/** Every way to lay so many of these cards, queens on top and nowhere else. */
function ways(board: Board, cards: readonly Card[], needed: number): Step[][] {
  const [card, ...others] = cards;
  if (needed === 0) return cards.some(isQueen) ? [] : [[]];
  if (card === undefined) return [];
  const rows = UPWARDS.filter((row) => board[row].length < SIZE[row] && (row === "top" || !isQueen(card)));
  const laid = rows.flatMap((row) =>
    ways(after(board, [{ card, row }]), others, needed - 1).map((rest) => [{ card, row }, ...rest]),
  );
  return isQueen(card) ? laid : [...laid, ...ways(board, others, needed)];
}

/** How many queens come to the learner. */
const queens = (): number => DEALT.flat().filter(isQueen).length;

const known = new Map<string, boolean>();

/** Whether a board can still come to queens on top without being dead; `street`: the place of the next among all. */
export function leads(board: Board, street: number): boolean {
  const cards = DEALT[street];
  if (cards === undefined) return !fouled(board, RULES);
  const coming = DEALT.slice(street).flat().filter(isQueen).length;
  if (SIZE.top - board.top.length < coming) return false;
  const key = ROWS.map((row) => board[row].toSorted().join("")).join("/");
  const found = known.get(key) ?? ways(board, cards, 2).some((way) => leads(after(board, way), street + 1));
  known.set(key, found);
  return found;
}

/** How many rows are weaker than one above, as they lie; single cards are in nobody's way yet. */
function disorder(board: Board): number {
  const [top, middle, bottom] = ROWS.map((row) => worth(row, board[row]));
  if (!top || !middle || !bottom) return 0;
  const above = compare(top, middle) > 0 ? top : middle;
  const weaker = (row: Row, own: typeof top, other: typeof top): boolean =>
    board[row].length > 1 &&
    (other.category !== "high-card" || board[row].length === SIZE[row]) &&
    compare(own, other) < 0;
  return Number(weaker("middle", middle, top)) + Number(weaker("bottom", bottom, above));
}

const strength = (board: Board): number =>
  ROWS.reduce((sum, row) => sum + WEIGHT[row] * CATEGORIES.indexOf(worth(row, board[row]).category), 0);

/** A way to lay a whole street, and the board it makes. */
interface Way {
  steps: readonly Step[];
  board: Board;
  wrong: number;
}

/** All ways to lay a street, the best first: one in order before all, then the one that is shown, then strong rows. */
function inOrder({ base, dealt, needed }: Laying, street: number): Way[] {
  const shown = SHOWN[street - 1];
  const isShown = (steps: readonly Step[]): boolean => steps.every(({ card, row }) => shown?.[row].includes(card));
  return ways(base, dealt, needed)
    .map((steps) => ({ steps, board: after(base, steps) }))
    .map((way) => ({ ...way, wrong: disorder(way.board), shown: isShown(way.steps), good: strength(way.board) }))
    .sort((a, b) => a.wrong - b.wrong || Number(b.shown) - Number(a.shown) || b.good - a.good);
}

/** Why what is laid leads nowhere: a queen lies elsewhere, the top is taken up, rows are out of order or too weak. */
export type Fault = "queen" | "room" | "dead" | "order" | "weak";

/** Where the cards still in hand should go, after what is laid already; or why some of that must be taken back. */
export function plan(laying: Laying, gone: readonly Card[], street: number): readonly Step[] | Fault {
  const { down } = laying;
  const all = inOrder(laying, street);
  const least = all.find(({ board }) => leads(board, street))?.wrong ?? 0;
  const fits = ({ steps }: Way): boolean =>
    down.every(({ card, row }) => steps.some((step) => step.card === card && step.row === row));
  const way = all.find((each) => each.wrong === least && fits(each) && leads(each.board, street));
  if (way) return way.steps.filter(({ card }) => !down.some((laid) => laid.card === card));
  const board = boardOf(laying);
  const thrownNow = thrown(laying);
  if (thrownNow.some(isQueen) || down.some(({ card, row }) => isQueen(card) && row !== "top")) return "queen";
  if (board.top.filter((card) => !isQueen(card)).length > SIZE.top - queens()) return "room";
  if (outlook(board, [...gone, ...thrownNow], RULES).dead) return "dead";
  return disorder(board) > least ? "order" : "weak";
}
