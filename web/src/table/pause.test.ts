import { describe, expect, test } from "vitest";

import ask from "../../dev/fixtures/bust-ask.json";
import bust from "../../dev/fixtures/bust.json";
import ended from "../../dev/fixtures/ending.json";
import hurry from "../../dev/fixtures/showdown-hurry.json";
import pause from "../../dev/fixtures/pause.json";
import type { SeatView, TableView } from "../protocol";
import { ending, endsWithout } from "./pause";

const viewOf = (fixture: unknown): TableView => structuredClone((fixture as { view: TableView }).view);
/** The view with something else said of a seat. */
function but(fixture: unknown, seat: number, change: Partial<SeatView>): TableView {
  const view = viewOf(fixture);
  Object.assign(view.seats[seat] ?? {}, change);
  return view;
}

describe("a pause ends the match", () => {
  test("where one of two has no chips and brings none, and not before he has said so", () => {
    expect([ending(viewOf(ask)), ending(viewOf(ended))]).toEqual([null, "one-left"]);
    const late = viewOf(ask);
    late.top_up_ms = 0;
    expect(ending(late)).toBe("one-left");
  });
  test("where whoever has Fantasyland has no chips and brings none", () => {
    expect(ending(but(pause, 0, { broke: true, gone_on: true }))).toBe("broke");
  });
  test("not where two go on to Fantasyland, nor outside a pause", () => {
    expect([ending(viewOf(pause)), ending(viewOf(hurry))]).toEqual([null, null]);
    expect(ending(but(bust, 1, { gone_on: true }))).toBe(null);
  });
  test("without the one who is asked for chips, in a match of two but not of three", () => {
    expect([endsWithout(viewOf(ask)), endsWithout(viewOf(bust))]).toEqual([true, false]);
  });
});
