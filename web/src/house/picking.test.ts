import { beforeAll, describe, expect, test, vi } from "vitest";

import fixture from "../../dev/fixtures/club.json";
import { speech } from "../i18n/index.svelte";
import type { RuleSet } from "../protocol";
import { chosenAt, chosenFrom, chosenIn, Picking } from "./picking.svelte";
import { BASES, mostSeats } from "./values";

vi.hoisted(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
});
beforeAll(() => speech.loadApart());

const club = (fixture as unknown as { view: { rules: RuleSet } }).view.rules;

test("a named set is asked for by its name, and nothing with it", () => {
  const picking = new Picking();
  expect([picking.rules, picking.set, picking.wrong.size]).toEqual(["room", {}, 0]);
  picking.choose("club");
  expect([picking.rules, picking.set]).toEqual(["club", {}]);
});

test("the rules of a table are where a change of them begins", () => {
  const rules: RuleSet = { ...club, base: "club", foul_points: 3, point_price: 250 };
  const picking = new Picking(chosenIn(rules));
  expect(picking.rules).toBe("club");
  expect(picking.price).toBe(2.5);
  expect(picking.set).toMatchObject({ foul_points: "3", point_price: "250" });
  picking.restore("foul_points");
  expect(picking.set.foul_points).toBeUndefined();
});

test("what another set cannot be played with waits for a set that can", () => {
  const picking = new Picking({ base: "club", own: { seats: "2-4" } });
  picking.change("seats", "4-4");
  picking.choose("progressive");
  expect([picking.set, picking.waiting]).toEqual([{}, ["seats"]]);
  expect(picking.waits("seats")).toBe("4-4");
  picking.choose(picking.before);
  expect([picking.rules, picking.set, picking.waiting]).toEqual(["club", { seats: "4-4" }, []]);
});

test.each(BASES)("where people sit already, %s leaves as many seats as there are, if it can", (base) => {
  for (const seats of [2, 3, 4]) {
    const from = new Picking(chosenAt({ ...club, base: "club", seats: [2, seats] }));
    from.choose(base);
    const most = mostSeats(from.values);
    expect(from.seats).toBe(Math.min(seats, most));
    expect(from.waiting).toEqual(seats > most ? ["seats"] : []);
    from.choose("club");
    expect(from.seats).toBe(seats);
  }
});

test("fewer seats than have to be ready lower both", () => {
  const picking = new Picking({ base: "club", own: { seats: "4-4" } });
  picking.seat(3);
  expect(picking.set).toEqual({ seats: "3-3" });
});

test("what cannot be played is told at its rule, and so is what the room refused, until it is changed", () => {
  const picking = new Picking();
  picking.change("buy_in", "200-100");
  expect([...picking.wrong.keys()]).toEqual(["buy_in"]);
  picking.restore();
  expect(picking.refuse("foul_points")).toBe(true);
  expect([...picking.wrong.keys()]).toEqual(["foul_points"]);
  picking.change("foul_points", "5");
  expect(picking.wrong.size).toBe(0);
  expect(picking.refuse("no such rule")).toBe(false);
});

test("a price is never below nothing nor without end", () => {
  const picking = new Picking();
  const asked = [-5, 0, 12.345, 1e12].map((price) => {
    picking.price = price;
    return picking.values.point_price;
  });
  expect(asked).toEqual(["0", "0", "1235", "100000000"]);
  picking.price = undefined;
  expect(picking.kopecks).toBe(0);
});

describe("a choice that was written down", () => {
  test("is read again as it was", () => {
    const picking = new Picking({ base: "progressive", own: { foul_points: "3", seats: "3-3" } });
    picking.price = 0;
    const read = chosenFrom(JSON.parse(JSON.stringify(picking.chosen)));
    if (read === null) throw new Error("it was not read");
    const again = new Picking(read);
    expect([again.rules, again.set]).toEqual([picking.rules, picking.set]);
  });
  test("by an older client is read as far as it still says something", () => {
    expect(chosenFrom({ base: "room", own: { seats: "2-2", gone: "1", foul_points: 7 } })).toEqual({
      base: "room",
      own: { seats: "2-2" },
    });
    for (const text of [null, "room", {}, { base: "casino", own: {} }, { base: "room", own: null }])
      expect(chosenFrom(text)).toBeNull();
  });
});
