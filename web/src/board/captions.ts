// The one line of words a row has: what it is, what it earns, what is wrong with it.
import type { Messages } from "../languages/ru";
import type { Board, Card, RuleSet } from "../protocol";
import { outlook, royalty, ROWS, worth, type Row, type Warning } from "../rules/rows";
import { kept } from "./kept";

export interface Caption {
  /** What the row is now; empty for an empty row. */
  is: string;
  earns: number;
  /** Weaker than which row, and what would do; null where nothing is wrong. */
  wrong: { weaker: string; needs: string } | null;
}

export interface Captions {
  rows: Record<Row, Caption>;
  /** No card that may come can save the board. */
  dead: boolean;
  earns: number;
}

const outlookOf = kept(outlook);

/** What to say of a board, full or not; `gone` are the cards that cannot come to it, as far as one may know them. */
export function captions(board: Board, gone: readonly Card[], rules: RuleSet, t: Messages): Captions {
  const { dead, warnings } = outlookOf(board, gone, rules);
  const caption = (row: Row): Caption => {
    const is = worth(row, board[row]);
    const warning = warnings.find((found) => found.row === row);
    return {
      is: board[row].length === 0 ? "" : t.worth(is),
      earns: royalty(row, is, rules),
      wrong: warning === undefined ? null : { weaker: t.weaker(warning.than), needs: needed(board, warning, t) },
    };
  };
  const rows = { top: caption("top"), middle: caption("middle"), bottom: caption("bottom") };
  return { rows, dead, earns: dead ? 0 : ROWS.reduce((sum, row) => sum + rows[row].earns, 0) };
}

function needed(board: Board, { row, needs }: Warning, t: Messages): string {
  if (needs === null) return t.beyondRepair;
  return needs.category === worth(row, board[row]).category && needs.category !== "high-card"
    ? t.needsKicker
    : t.needs(needs);
}
