// The lesson's hand, as tests/web/make_lesson.py wrote it: what comes to the learner, how he is shown to lay it, and
// the table as he then sees it. It is much, and no script: it is fetched as it lies there, like the rule book.
import { parsePlacement, type Placement } from "../board/cards";
import type { Board, Card, RuleSet, TableView } from "../protocol";
import { ROWS } from "../rules/rows";
import written from "./hand.json?url";

interface Hand {
  /** The learner's cards, street by street. */
  dealt: readonly (readonly Card[])[];
  shown: readonly string[];
  /** His turn and the bot's, street by street, and the showdown. */
  views: readonly [TableView, ...TableView[]];
}

// Nothing of the lesson is looked at before its hand is here.
export let DEALT: Hand["dealt"];
export let SHOWN: readonly Placement[];
export let VIEWS: Hand["views"];
export let RULES: RuleSet;

export async function fetchHand(): Promise<void> {
  const answer = await fetch(written);
  const hand = (await answer.json()) as Hand;
  DEALT = hand.dealt;
  SHOWN = hand.shown.map(parsePlacement);
  VIEWS = hand.views;
  RULES = VIEWS[0].rules;
}

/** A board with what is placed on it. */
export function placed(board: Board, placement: Board): Board {
  const add = (row: (typeof ROWS)[number]): Card[] => [...board[row], ...placement[row]];
  return { top: add("top"), middle: add("middle"), bottom: add("bottom") };
}
