import { describe, expect, test } from "vitest";

import type { Card } from "../protocol";
import { EMPTY, parsePlacement, printPlacement } from "./cards";
import {
  begin,
  boardOf,
  isComplete,
  placementText,
  put,
  reset,
  select,
  take,
  thrown,
  undo,
  type Laying,
} from "./laying";

const dealt: Card[] = ["Ac", "5h", "Qd"];
const third = (): Laying => begin({ top: ["Qs"], middle: ["8h"], bottom: ["Kc", "Jc", "9c", "4c"] }, dealt, 2, null);
/** A tap on a row: lays what is selected. */
const tap = (laying: Laying, row: "top" | "middle" | "bottom"): Laying =>
  laying.selected ? put(laying, laying.selected, row) : laying;

describe("three taps make a street", () => {
  test("the first card is selected, then the next, and what is left is the discard", () => {
    const first = third();
    expect(first.selected).toBe("Ac");
    const second = tap(first, "bottom");
    expect(second.selected).toBe("5h");
    expect(thrown(second)).toEqual([]);
    const done = tap(second, "middle");
    expect([done.selected, isComplete(done), thrown(done)]).toEqual([null, true, ["Qd"]]);
    expect(placementText(done)).toBe("-/5h/Ac xQd");
    expect(boardOf(done).bottom).toEqual(["Kc", "Jc", "9c", "4c", "Ac"]);
  });

  test("the first street wants all five and throws nothing away", () => {
    let laying = begin(EMPTY, ["2c", "3c", "4c", "5c", "6c"], 5, null);
    for (const row of ["top", "middle", "middle", "bottom", "bottom"] as const) laying = tap(laying, row);
    expect(placementText(laying)).toBe("2c/3c4c/5c6c");
  });
});

describe("nothing is final before it is confirmed", () => {
  const done = tap(tap(third(), "bottom"), "middle");

  test("undo takes the last one back and selects it", () => {
    expect(undo(done)).toMatchObject({ selected: "5h", down: [{ card: "Ac", row: "bottom" }] });
    expect(undo(third())).toEqual(third());
  });
  test("a tap on a new card takes that one back, an old one stays", () => {
    expect(take(done, "Ac")).toMatchObject({ selected: "Ac", down: [{ card: "5h", row: "middle" }] });
    expect(take(done, "Kc")).toBe(done);
  });
  test("reset takes all back", () => {
    expect(reset(done)).toEqual(third());
  });
  test("choosing the discard gives it the place of the last one", () => {
    expect(select(done, "Qd")).toMatchObject({ selected: "Qd", down: [{ card: "Ac", row: "bottom" }] });
  });
  test("choosing another card does not lay it, and the choice outlives another's drag", () => {
    const chosen = select(third(), "Qd");
    expect(chosen).toMatchObject({ selected: "Qd", down: [] });
    expect(put(chosen, "5h", "middle").selected).toBe("Qd");
  });
});

describe("what does not fit changes nothing", () => {
  test("a full row", () => {
    const full = tap(third(), "bottom");
    expect(tap(full, "bottom")).toBe(full);
  });
  test("one card too many, and a card that is not there", () => {
    const done = tap(tap(third(), "bottom"), "middle");
    expect(put(done, "Qd", "top")).toBe(done);
    expect(put(done, "Ks", "top")).toBe(done);
  });
  test("a move within a full street is still possible", () => {
    const done = tap(tap(third(), "bottom"), "middle");
    expect(placementText(put(done, "5h", "top"))).toBe("5h/-/Ac xQd");
  });
});

test("a draft comes back as it was, whatever else it names", () => {
  const laying = begin(EMPTY, dealt, 2, "Qd/-/5h2s xAc");
  expect(laying.down).toEqual([
    { card: "Qd", row: "top" },
    { card: "5h", row: "bottom" },
  ]);
  expect(placementText(laying)).toBe("Qd/-/5h xAc");
});

test.each(["-/-/-", "Qh/9h/- x3h", "-/-/KdKs x2c", "Ac/2c/3c4c5c"])("%s reads and prints", (text) => {
  expect(printPlacement(parsePlacement(text))).toBe(text);
});
