// What of Fantasyland a player can see coming on his own board.
import type { Board, Card, RuleSet } from "../protocol";
import { entry, stays } from "../rules/fantasy";
import { isSafe, SIZE, ROWS, fouled } from "../rules/rows";
import { kept } from "./kept";

/**
 * `name`: this hand is Fantasyland. `heading`: the top brings it, if the board does not die. `secured`: and it cannot die
 * any more. `again`: this Fantasyland keeps its owner in. `cards`: with how many, where that depends on
 * the top.
 */
export interface Prospect {
  state: "name" | "heading" | "secured" | "again";
  cards: number | null;
}

export interface Moment {
  board: Board;
  /** The cards that cannot come to this board any more, as far as its owner knows. */
  gone: readonly Card[];
  rules: RuleSet;
  /** Whether this hand is Fantasyland for him, and how many hands of the match were it before this one at the most. */
  inFantasyland: boolean;
  stayedAtMost: number;
}

export const prospect = kept(foreseen);

function foreseen({ board, gone, rules, inFantasyland, stayedAtMost }: Moment): Prospect | null {
  const { fantasyland_repeats: repeats, fantasyland_cards: numbers } = rules;
  const full = ROWS.every((row) => board[row].length === SIZE[row]);
  // Long to reckon, and seldom asked.
  const safe = (): boolean => (full ? !fouled(board, rules) : isSafe(board, gone, rules));
  if (inFantasyland) {
    // How often he has stayed is not shown; where it might be too often, nothing is promised.
    const allowed = repeats === "unlimited" || stayedAtMost < repeats;
    return allowed && stays(board, rules) && safe() ? { state: "again", cards: null } : { state: "name", cards: null };
  }
  const cards = entry(board, rules);
  if (cards === 0) return null;
  return { state: safe() ? "secured" : "heading", cards: new Set(numbers).size > 1 ? cards : null };
}
