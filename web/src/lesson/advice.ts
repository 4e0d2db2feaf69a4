// What the coach says while the learner lays his cards, and what it lights up. It looks at the cards as they lie, so
// whatever he has done, what it says is true.
import { boardOf, isComplete, type Laying } from "../board/laying";
import type { Messages } from "../languages/ru";
import type { Board, Card } from "../protocol";
import { compare, outlook, rankOf, worth, type Row } from "../rules/rows";
import { RULES } from "./hand";
import { after, isQueen, plan, type Step } from "./plan";

export interface Advice {
  text: string;
  /** What is to be touched or looked at, as a selector; null for nothing. */
  at: string | null;
  /** Whether something has to be taken back first. */
  wrong: boolean;
}

const CONFIRM = "[data-testid=confirm]";
const UNDO = ".actions .square:first-child";
const inHand = (card: Card): string => `[data-tray] [data-card="${card}"]`;
const ownRow = (row: Row): string => `section.own [data-row="${row}"]`;

export function advise(laying: Laying, gone: readonly Card[], street: number, t: Messages): Advice {
  const words = t.lesson;
  const told = advice(laying, gone, street, t);
  return !told.wrong && strayed(laying, gone, street) ? { ...told, text: words.otherwise(told.text) } : told;
}

/** Whether the last card went where it may go, and not where it was told to. */
function strayed(laying: Laying, gone: readonly Card[], street: number): boolean {
  const last = laying.down.at(-1);
  if (!last || isComplete(laying)) return false;
  const before = plan({ ...laying, down: laying.down.slice(0, -1) }, gone, street);
  return typeof before !== "string" && before.every(({ card, row }) => card !== last.card || row !== last.row);
}

function advice(laying: Laying, gone: readonly Card[], street: number, t: Messages): Advice {
  const words = t.lesson;
  const steps = plan(laying, gone, street);
  if (typeof steps === "string") return { text: words.wrong[steps], at: UNDO, wrong: true };
  if (isComplete(laying)) return { text: whenLaid(laying, gone, street, t), at: CONFIRM, wrong: false };
  const step = steps.find(({ card }) => card === laying.selected);
  if (step) return { text: toLay(step, steps, laying, gone, street, t), at: ownRow(step.row), wrong: false };
  const [next] = steps;
  if (!next) return { text: "", at: null, wrong: false };
  return {
    text: isQueen(next.card) ? words.anotherQueen : words.choose(t.card(next.card)),
    at: inHand(next.card),
    wrong: false,
  };
}

/** What is said when nothing is left but to confirm. */
function whenLaid(laying: Laying, gone: readonly Card[], street: number, { lesson: words }: Messages): string {
  if (laying.dealt.length === laying.needed) return words.ready;
  if (street === 2) return words.firstDiscard;
  const threatened = (board: Board): boolean => outlook(board, gone, RULES).warnings.length > 0;
  return threatened(laying.base) && !threatened(boardOf(laying)) ? words.saved : words.discard;
}

/** What is said of the card that is to go to its row next. */
function toLay(
  { card, row }: Step,
  steps: readonly Step[],
  laying: Laying,
  gone: readonly Card[],
  street: number,
  t: Messages,
): string {
  const words = t.lesson;
  const board = boardOf(laying);
  const then = after(board, steps);
  if (street === 1 && laying.down.length === 0 && row === "bottom") return words.order;
  if (street === 2 && laying.down.length === 0) return words.three;
  if (isQueen(card)) return board.top.some(isQueen) ? words.queens : words.queen;
  const threat = outlook(board, gone, RULES).warnings.find((warning) => warning.row === row);
  if (threat && !outlook(then, gone, RULES).warnings.some((warning) => warning.row === row)) {
    return words.saves(threat.row, threat.than, rankOf(card));
  }
  if (laying.down.at(-1)?.row === row) return words.same(t.card(card));
  const [now, made] = [worth(row, board[row]), worth(row, then[row])];
  const better = compare(made, now) > 0 && made.category !== now.category && made.category !== "high-card";
  return better ? words.makes(row, made) : words.rest(t.card(card), row);
}
