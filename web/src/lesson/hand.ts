// The lesson's hand, as tests/web/make_lesson.py wrote it: what comes to the learner, how he is shown to lay it, and
// the table as he then sees it.
import { parsePlacement, type Placement } from "../board/cards";
import type { Board, Card, TableView } from "../protocol";
import { ROWS } from "../rules/rows";
import written from "./hand.json";

interface Hand {
  /** The learner's cards, street by street. */
  dealt: readonly (readonly Card[])[];
  shown: readonly string[];
  /** His turn and the bot's, street by street, and the showdown. */
  views: readonly TableView[];
}

const hand = written as unknown as Hand;

export const DEALT = hand.dealt;
export const SHOWN: readonly Placement[] = hand.shown.map(parsePlacement);
export const VIEWS = hand.views;
const [first] = VIEWS;
if (!first) throw new Error("the lesson has no hand");
export const RULES = first.rules;

/** A board with what is placed on it. */
export function placed(board: Board, placement: Board): Board {
  const add = (row: (typeof ROWS)[number]): Card[] => [...board[row], ...placement[row]];
  return { top: add("top"), middle: add("middle"), bottom: add("bottom") };
}
