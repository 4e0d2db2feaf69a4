// What a row is worth, what it earns, and whether a board can still be legal. Only what a player sees on his own board
// is reckoned here, for captions and warnings; the room alone decides. Checked on vectors that the room's rules write.
import type { Board, Card, RowResult, RuleSet } from "../protocol";

export const ROWS = ["top", "middle", "bottom"] as const;
export type Row = (typeof ROWS)[number];
export const SIZE: Record<Row, number> = { top: 3, middle: 5, bottom: 5 };

export type Category = RowResult["category"];
export interface Worth {
  category: Category;
  /** From 2 to 14: held more often first, then the higher first; a straight by its highest card alone. */
  ranks: readonly number[];
}

export const CATEGORIES: readonly Category[] = [
  "high-card",
  "pair",
  "two-pair",
  "trips",
  "straight",
  "flush",
  "full-house",
  "quads",
  "straight-flush",
];

/** What the lists of a royalty table for the middle and the bottom begin with. */
const FIRST_EARNING = CATEGORIES.indexOf("trips");

export const rankOf = (card: Card): number => "23456789TJQKA".indexOf(card.charAt(0)) + 2;

/** What the cards of a row are worth, as far as they are laid. */
export function worth(row: Row, cards: readonly Card[]): Worth {
  const suited = cards.every((card) => card[1] === cards[0]?.[1]);
  return worthOfRanks(row, cards.map(rankOf), suited);
}

function worthOfRanks(row: Row, ranks: readonly number[], suited: boolean): Worth {
  const count = new Map<number, number>();
  for (const rank of ranks) count.set(rank, (count.get(rank) ?? 0) + 1);
  const groups = [...count].sort(([a, m], [b, n]) => n - m || b - a);
  const weighed = groups.map(([rank]) => rank);
  const [most = 0, next = 0] = groups.map(([, times]) => times);
  if (row !== "top" && weighed.length === 5) {
    const [highest = 0, second = 0] = weighed;
    const wheel = highest === 14 && second === 5;
    if (wheel || highest - (weighed[4] ?? 0) === 4) {
      return { category: suited ? "straight-flush" : "straight", ranks: [wheel ? 5 : highest] };
    }
    if (suited) return { category: "flush", ranks: weighed };
  }
  const category =
    most === 4
      ? "quads"
      : most === 3
        ? next === 2
          ? "full-house"
          : "trips"
        : most === 2
          ? next === 2
            ? "two-pair"
            : "pair"
          : "high-card";
  return { category, ranks: weighed };
}

/** Less than, equal to or more than zero as `a` is weaker than, equal to or stronger than `b`. */
export function compare(a: Worth, b: Worth): number {
  const categories = CATEGORIES.indexOf(a.category) - CATEGORIES.indexOf(b.category);
  if (categories !== 0) return categories;
  for (const [place, rank] of a.ranks.entries()) {
    const other = b.ranks[place];
    // Where one goes on from the other's ranks, the longer is the stronger.
    if (other === undefined) return 1;
    if (rank !== other) return rank - other;
  }
  return a.ranks.length - b.ranks.length;
}

export const atLeast = (category: Category, least: Category): boolean =>
  CATEGORIES.indexOf(category) >= CATEGORIES.indexOf(least);

/** What a row of this worth earns by the rules on a board that is not fouled. */
export function royalty(
  row: Row,
  { category, ranks }: Worth,
  { royalties, royalty_table: table }: Pick<RuleSet, "royalties" | "royalty_table">,
): number {
  if (royalties === "none") return 0;
  const highest = ranks[0] ?? 0;
  if (row === "top") {
    const byRank = category === "trips" ? table.trips : category === "pair" ? table.pairs : [];
    return byRank[highest - 2] ?? 0;
  }
  const royal = category === "straight-flush" && highest === 14;
  return table[row][CATEGORIES.indexOf(category) - FIRST_EARNING + Number(royal)] ?? 0;
}

/** What of the rules decides whether a board is dead. */
export type Order = Pick<RuleSet, "equality">;

/** Whether a full board is dead: its top beats its middle, or its middle beats its bottom. */
export function fouled(board: Board, { equality }: Order): boolean {
  const least = equality === "strict" ? 1 : 0;
  const [top, middle, bottom] = [worth("top", board.top), worth("middle", board.middle), worth("bottom", board.bottom)];
  return compare(middle, top) < least || compare(bottom, middle) < least;
}

/** Everything the row can still become, when `gone` are the cards that cannot come any more. */
function futures(row: Row, cards: readonly Card[], gone: readonly Card[]): Worth[] {
  const missing = SIZE[row] - cards.length;
  const ranks = cards.map(rankOf);
  const suit = cards[0]?.charAt(1) ?? "";
  const suited = cards.every((card) => card.endsWith(suit));
  const left = new Map<number, number>();
  for (let rank = 2; rank <= 14; rank++) left.set(rank, 4 - gone.filter((card) => rankOf(card) === rank).length);
  const goneInSuit = new Set(gone.filter((card) => card.endsWith(suit)).map(rankOf));
  const found: Worth[] = [];

  const add = (coming: readonly number[], from: number): void => {
    if (coming.length === missing) {
      const all = [...ranks, ...coming];
      const mixed = worthOfRanks(row, all, suited && missing === 0);
      found.push(mixed);
      // A row of one suit so far, or an empty one, may stay of one suit where these very cards are still to come.
      const flushes = missing > 0 && suited && new Set(all).size === 5;
      if (flushes && (cards.length === 0 || coming.every((rank) => !goneInSuit.has(rank)))) {
        found.push(worthOfRanks(row, all, true));
      }
      return;
    }
    for (let rank = from; rank <= 14; rank++) {
      if (coming.filter((other) => other === rank).length < (left.get(rank) ?? 0)) add([...coming, rank], rank);
    }
  };
  add([], 2);
  return found;
}

export interface Warning {
  /** The row that is too weak, and the row above that it is weaker than. */
  row: Row;
  than: Row;
  /** The least that would do; null where nothing can. */
  needs: Worth | null;
}

export interface Outlook {
  /** Whether no cards that may come can make the board legal. */
  dead: boolean;
  warnings: Warning[];
}

/** What threatens a board, full or not; `thrown` are the cards that cannot come either: the player's own discards. */
export function outlook(board: Board, thrown: readonly Card[], rules: Order): Outlook {
  const gone = [...board.top, ...board.middle, ...board.bottom, ...thrown];
  const now = {
    top: worth("top", board.top),
    middle: worth("middle", board.middle),
    bottom: worth("bottom", board.bottom),
  };
  const above: Record<"middle" | "bottom", Row> = {
    middle: "top",
    bottom: compare(now.top, now.middle) > 0 ? "top" : "middle",
  };
  const warnings: Warning[] = [];
  for (const row of ["middle", "bottom"] as const) {
    const than = above[row];
    const full = board[row].length === SIZE[row];
    // A row just begun, or single cards against single cards, are in nobody's way yet.
    if (board[row].length < 2 || (now[than].category === "high-card" && !full)) continue;
    // An unfinished row is equal to nothing yet.
    const least = board[than].length === SIZE[than] ? marginOf(rules) : 0;
    if (compare(now[row], now[than]) >= (full ? least : 0)) continue;
    const enough = futures(row, board[row], gone).filter((future) => compare(future, now[than]) >= least);
    warnings.push({ row, than, needs: enough.reduce<Worth | null>(weaker, null) });
  }
  return { dead: isDead(board, gone, now.top, rules), warnings };
}

const marginOf = ({ equality }: Order): number => (equality === "strict" ? 1 : 0);
const weaker = (a: Worth | null, b: Worth): Worth => (a === null || compare(b, a) < 0 ? b : a);
const best = (worths: readonly Worth[]): Worth => worths.reduce((a, b) => (compare(a, b) < 0 ? b : a));

function isDead(board: Board, gone: readonly Card[], top: Worth, rules: Order): boolean {
  // A row only grows stronger, so what the top is now is the least it will be. A nearly empty board is never dead.
  if (board.middle.length < 2 || board.bottom.length < 2) return false;
  const least = marginOf(rules);
  const overTop = board.top.length === SIZE.top ? least : 0;
  const highest = best(futures("bottom", board.bottom, gone));
  return !futures("middle", board.middle, gone).some(
    (middle) => compare(middle, top) >= overTop && compare(highest, middle) >= least,
  );
}

/** Whether no cards that may come can make the board dead any more. */
export function isSafe(board: Board, thrown: readonly Card[], rules: Order): boolean {
  if (board.middle.length < 2 || board.bottom.length < 2) return false;
  const gone = [...board.top, ...board.middle, ...board.bottom, ...thrown];
  const least = marginOf(rules);
  const over = (row: "middle" | "bottom", above: Row): boolean =>
    compare(worth(row, board[row]), best(futures(above, board[above], gone))) >= least;
  return over("bottom", "middle") && over("middle", "top");
}
