import { expect, test } from "vitest";

import showdown from "../../dev/fixtures/showdown.json";
import ownStreet1 from "../../dev/fixtures/street1-own.json";
import othersStreet1 from "../../dev/fixtures/street1-other.json";
import ownStreet3 from "../../dev/fixtures/street3-start.json";
import othersStreet3 from "../../dev/fixtures/street3-other.json";
import waiting from "../../dev/fixtures/waiting.json";
import waitingReady from "../../dev/fixtures/waiting-ready.json";
import watching from "../../dev/fixtures/showdown-watching.json";
import { en } from "../i18n/en";
import type { TableView } from "../protocol";
import { news } from "./announce";

const said = (before: unknown, now: unknown): string => {
  const [old, view] = [before, now].map((fixture) => (fixture as { view: TableView } | null)?.view ?? null);
  if (!view) throw new Error("there is always a view now");
  return news(old ?? null, view, (seat) => view.seats[seat]?.name ?? "", en);
};

test.each([
  ["somebody sits down", waiting, waitingReady, "Борис is at the table"],
  ["a hand begins", waiting, othersStreet1, "Марина is at the table. Hand 2 has begun"],
  [
    "a rival has laid, and it is one's turn",
    othersStreet1,
    ownStreet1,
    "Марина: king of hearts, 10 of clubs, 10 of spades, ace of diamonds, ace of hearts. " +
      "Your turn, street 1. Your cards: queen of spades, 8 of hearts, king of clubs, jack of clubs, 9 of clubs",
  ],
  [
    "the page is opened in one's turn",
    null,
    ownStreet3,
    "Hand 2 has begun. Your turn, street 3. Your cards: queen of diamonds, ace of clubs, 5 of hearts",
  ],
  ["one's own move needs no telling", ownStreet3, othersStreet3, ""],
  ["nothing new", ownStreet3, ownStreet3, ""],
  ["the page is opened after the hand", null, showdown, ""],
])("%s", (_, before, now, expected) => {
  expect(said(before, now)).toBe(expected);
});

test("the result is told once, to players with their points", () => {
  expect(said(othersStreet3, showdown)).toMatch(/Hand 2 is over\. Your result: \+15$/);
  expect(said(showdown, showdown)).toBe("");
  expect(said(othersStreet3, watching)).toMatch(/Hand 2 is over$/);
});
