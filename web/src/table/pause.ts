// What a view tells without saying it: what a pause in a match comes to.
import type { SeatView, TableView } from "../protocol";

/** Whether a player of the match may still bring chips before it goes on. */
const mayBring = ({ broke, gone_on, leaving }: SeatView): boolean => broke && !gone_on && !leaving;

const playersOf = ({ hand, seats }: TableView): SeatView[] =>
  hand?.players.flatMap(({ seat }) => seats[seat] ?? []) ?? [];

/** Why a match would end, if only these went on with it; null where Fantasyland is played. */
function ends(players: readonly SeatView[]): "one-left" | "broke" | null {
  if (players.length < 2) return "one-left";
  return players.some(({ fantasyland }) => fantasyland > 0) ? null : "broke";
}

/** Why the pause ends the match instead of the next hand, where nothing can change that any more; else null. */
export function ending(view: TableView): "one-left" | "broke" | null {
  const players = playersOf(view);
  if (view.phase !== "pause" || (view.top_up_ms !== 0 && players.some(mayBring))) return null;
  return ends(players.filter(({ broke }) => !broke));
}

/** Whether nothing keeps those who have won Fantasyland from it. */
export const goesOn = (view: TableView): boolean =>
  !(view.match?.over && view.match.lapsed !== null) && ending(view) === null;

/** Whether the match ends where the viewer brings no chips, even if all others who may bring some do. */
export const endsWithout = (view: TableView): boolean =>
  ends(playersOf(view).filter((player) => player.seat !== view.you && (!player.broke || mayBring(player)))) !== null;
