import { expect, test } from "vitest";

import showdown from "../../dev/fixtures/showdown.json";
import other from "../../dev/fixtures/street3-other.json";
import own from "../../dev/fixtures/street3-start.json";
import type { HandView, TableView } from "../protocol";
import { begin, put, sort } from "./laying";
import { sceneOf } from "./scene";

const handOf = (fixture: unknown): HandView | null => structuredClone((fixture as { view: TableView }).view.hand);

test("a view in which no card has moved is the same scene", () => {
  expect(sceneOf(handOf(own), null)).toBe(sceneOf(handOf(own), null));
  expect(sceneOf(null, null)).toBe("");
});

test("a card that is dealt, laid or shown elsewhere makes another", () => {
  const hand = handOf(own);
  const mine = hand?.players.find(({ seat }) => seat === hand.you);
  if (!mine) throw new Error("there is an own side");
  const laying = begin(mine.board, mine.dealt, mine.to_lay, null);
  const scenes = [
    sceneOf(hand, laying),
    sceneOf(hand, put(laying, "Qd", "top")),
    sceneOf(hand, put(laying, "Qd", "middle")),
    sceneOf(hand, sort(laying, "rank")),
    sceneOf(hand, null),
    sceneOf(handOf(other), null),
    sceneOf(handOf(showdown), null),
  ];
  expect(new Set(scenes).size).toBe(scenes.length);
});
