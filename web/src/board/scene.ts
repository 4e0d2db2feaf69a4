// Where every card lies. Views come often and most of them move none: only where this changes there is something to animate.
import type { HandView } from "../protocol";
import { cardsOf } from "./cards";
import type { Laying } from "./laying";

export function sceneOf(hand: HandView | null, laying: Laying | null): string {
  if (hand === null) return "";
  const players = hand.players.map(({ board, draft, discards, dealt, hidden }) =>
    [hidden, board.top, board.middle, board.bottom, draft, discards, dealt].join(),
  );
  const own = laying && [laying.shown, cardsOf(laying.base), ...laying.down.map(({ card, row }) => card + row)].join();
  return [hand.number, hand.reckoning !== null, ...players, own].join("|");
}
