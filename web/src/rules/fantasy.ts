// Fantasyland as a player sees it come on his own board; the room alone decides. Checked on vectors of the room's rules.
import type { Board, RuleSet } from "../protocol";
import { atLeast, worth } from "./rows";

/** How many cards this top row brings in the next hand, if the board does not die; 0 where it brings none. */
export function entry({ top }: Board, rules: RuleSet): number {
  const { category, ranks } = worth("top", top);
  const [queens, kings, aces, trips] = rules.fantasyland_cards;
  if (rules.fantasyland === "off") return 0;
  if (category === "trips") return trips;
  const highest = ranks[0] ?? 0;
  const least = "23456789TJQKA".indexOf(rules.fantasyland_entry.charAt(0)) + 2;
  if (category !== "pair" || highest < least) return 0;
  return highest === 14 ? aces : highest === 13 ? kings : queens;
}

/** Whether these rows, as far as they are laid, keep their owner in Fantasyland, if the board does not die. */
export function stays(board: Board, rules: RuleSet): boolean {
  const [top, middle, bottom] = [worth("top", board.top), worth("middle", board.middle), worth("bottom", board.bottom)];
  const met = {
    "top-trips": top.category === "trips",
    "middle-full-house": atLeast(middle.category, "full-house"),
    "middle-quads": atLeast(middle.category, "quads"),
    "bottom-quads": atLeast(bottom.category, "quads"),
  };
  return rules.fantasyland === "on" && rules.fantasyland_stay.some((condition) => met[condition]);
}
