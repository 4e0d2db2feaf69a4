import { expect, test } from "vitest";

import closed from "../../dev/fixtures/closed-own.json";
import fantasy from "../../dev/fixtures/fantasy14.json";
import showdown from "../../dev/fixtures/showdown.json";
import othersFirst from "../../dev/fixtures/street1-other.json";
import own from "../../dev/fixtures/street3-start.json";
import watching from "../../dev/fixtures/watching.json";
import type { Card, HandView, TableView } from "../protocol";
import { begin } from "./laying";
import { EMPTY } from "./cards";
import { RANKS, SUITS, unseen } from "./seen";

const handOf = (fixture: unknown): HandView => {
  const { hand } = (fixture as { view: TableView }).view;
  if (!hand) throw new Error("there is no hand");
  return hand;
};
const gone = (fixture: unknown): Card[] => {
  const left = unseen(handOf(fixture), null);
  return RANKS.flatMap((rank) => SUITS.map((suit) => (rank + suit) as Card)).filter((card) => !left.has(card));
};

test.each([
  // Seven and nine on the others' boards; of one's own seven, three in hand, and one thrown away.
  ["on one's turn", own, 7 + 9 + 7 + 3 + 1],
  ["while another lays in the open", othersFirst, 5],
  ["in Fantasyland, where one has all of it in hand", fantasy, 13 + 13 + 14],
  ["where nobody sees another's board", closed, 14],
  ["at the showdown, without what others threw away", showdown, 3 * 13 + 4],
])("%s", (_, fixture, count) => {
  expect(gone(fixture).length).toBe(count);
});

test("own discards are seen, others' are not", () => {
  const { players, you } = handOf(own);
  for (const { seat, discards } of players) expect(discards.length > 0).toBe(seat === you);
  expect(gone(own)).toContain(players.find(({ seat }) => seat === you)?.discards[0]);
});

test("who looks on sees what lies open", () => {
  const open = handOf(watching).players.flatMap(({ board }) => [...board.top, ...board.middle, ...board.bottom]);
  expect(gone(watching).length).toBeGreaterThanOrEqual(open.length);
});

test("what is being laid is seen", () => {
  const laying = begin(EMPTY, ["2c"], 1, null);
  expect(unseen({ ...handOf(own), players: [] }, laying).size).toBe(51);
});
