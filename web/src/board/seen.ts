// Which cards a viewer has seen in a hand: what lies open, and what he was dealt himself.
import type { Card, HandView } from "../protocol";
import { cardsOf, otherCards, type Suit } from "./cards";
import type { Laying } from "./laying";

export const SUITS: readonly Suit[] = ["s", "h", "d", "c"];
/** Ranks from the highest down, as they are written in a card. */
export const RANKS: readonly string[] = Array.from("AKQJT98765432");

/** The cards that may still come, as far as this viewer knows. */
export function unseen({ players }: HandView, laying: Laying | null): ReadonlySet<Card> {
  const seen = players.flatMap(({ board, dealt, discards }) => [...cardsOf(board), ...dealt, ...discards]);
  return new Set(otherCards([...seen, ...(laying?.dealt ?? [])]));
}
