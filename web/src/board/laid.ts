// What the own board, the cards in hand and the buttons below need of a table: a street that is played again has no more.
import type { HandView, PlayerView, TableView } from "../protocol";
import type { Session } from "../state.svelte";

type Same =
  "acting" | "confirming" | "held" | "lay" | "laying" | "me" | "nameOf" | "orderOf" | "others" | "sortOn" | "timeOf";

export interface LayingTable extends Pick<Session, Same> {
  /** Where it can be that all clocks stand. */
  readonly stands?: boolean;
  readonly view: Pick<TableView, "rules"> | null;
  readonly hand: Pick<HandView, "button"> | null;
  readonly mine: Pick<PlayerView, "done"> | null;
}
