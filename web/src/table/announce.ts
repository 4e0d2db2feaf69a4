// What a screen reader says when one view follows another.
import { cardsOf } from "../board/cards";
import type { Messages } from "../i18n/ru";
import type { TableView } from "../protocol";

type Names = (seat: number) => string;

/** The news between two views, in the order they happened; empty where there is nothing to say. */
export function news(before: TableView | null, now: TableView, name: Names, t: Messages): string {
  const said: string[] = [];
  const { hand } = now;
  const old = before?.hand?.number === hand?.number ? before?.hand : null;
  if (before) {
    for (const [seat, sitter] of now.seats.entries()) {
      if (sitter && !before.seats[seat] && seat !== now.you) said.push(t.said.sat(sitter.name));
    }
  }
  if (!hand) return said.join(". ");
  if (!old && !hand.reckoning) said.push(t.said.deal(hand.number));
  for (const player of hand.players) {
    const earlier = old?.players.find(({ seat }) => seat === player.seat);
    if (earlier && earlier.street < player.street && player.seat !== hand.you) {
      const known = cardsOf(earlier.board);
      const laid = cardsOf(player.board).filter((card) => !known.includes(card));
      said.push(t.said.placed(name(player.seat), laid.map(t.card).join(", ")));
    }
  }
  const mine = hand.players.find(({ seat }) => seat === hand.you);
  const street = (view: TableView["hand"]): number | undefined =>
    view && view.turn === view.you ? view.players.find(({ seat }) => seat === view.you)?.street : undefined;
  if (mine && hand.turn === hand.you && street(old ?? null) !== mine.street) {
    said.push(t.said.turn(mine.street, mine.dealt.map(t.card).join(", ")));
  }
  if (hand.reckoning && old && !old.reckoning) {
    const result = hand.reckoning.players.find(({ seat }) => seat === hand.you);
    said.push(result ? t.said.result(hand.number, result.points) : t.said.over(hand.number));
  }
  return said.join(". ");
}
