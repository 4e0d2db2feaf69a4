import { describe, expect, test } from "vitest";

import type { Card } from "../protocol";
import { EMPTY, parsePlacement, printPlacement } from "./cards";
import {
  begin,
  boardOf,
  drop,
  free,
  inTray,
  isComplete,
  isWorthSorting,
  placementText,
  put,
  reset,
  select,
  sort,
  sorted,
  step,
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
  test("but what is carried there changes places with the card laid last", () => {
    const done = tap(tap(third(), "bottom"), "middle");
    expect(placementText(drop(done, "Qd", "top"))).toBe("Qd/-/Ac x5h");
    expect(placementText(drop(done, "Qd", "middle"))).toBe("-/Qd/Ac x5h");
    expect(drop(done, "Qd", "bottom")).toBe(done);
    expect(placementText(drop(third(), "5h", "middle"))).toBe("-/5h/-");
  });
  test("a move within a full street is still possible", () => {
    const done = tap(tap(third(), "bottom"), "middle");
    expect(placementText(put(done, "5h", "top"))).toBe("5h/-/Ac xQd");
  });
});

describe("a street is shown in any order", () => {
  test("and that order changes neither what is chosen nor what lies where", () => {
    const laying = put(begin(EMPTY, ["2c", "Kd", "2h", "Ks", "7s"], 5, null), "Ks", "bottom");
    const ordered = sort(laying, "rank");
    expect([ordered.shown.join(" "), ordered.selected]).toEqual(["Ks Kd 7s 2h 2c", laying.selected]);
    expect(placementText(ordered)).toBe(placementText(laying));
  });
  test("of which the first card is chosen, then the one after the card just laid", () => {
    const laying = begin(EMPTY, ["Qd", "Ac", "5h"], 2, null, "rank");
    expect(laying.selected).toBe("Ac");
    expect(tap(laying, "top").selected).toBe("Qd");
  });
  test("what is left for the discard is shown last", () => {
    expect(inTray(begin(EMPTY, ["Qd", "Ac", "5h"], 2, "-/5h/Ac"))).toEqual(["Ac", "5h", "Qd"]);
  });
  test("as long as three cards are in hand", () => {
    const five = begin(EMPTY, ["2c", "3c", "4c", "5c", "6c"], 5, null);
    expect([five, tap(five, "top"), tap(tap(five, "top"), "top")].map(isWorthSorting)).toEqual([true, true, true]);
    expect(isWorthSorting(["top", "top", "top"].reduce((now) => tap(now, "top"), five))).toBe(false);
    expect(isWorthSorting(tap(third(), "bottom"))).toBe(false);
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

describe("a whole board at once", () => {
  const text = "Kh Th Td Jh 9s 8h Tc Jc 7c 6s Ks 5d 4d 2h";
  const many = text.split(" ") as Card[];
  const fantasy = (): Laying => begin(EMPTY, many, 13, null, "rank");
  const all = "bottom bottom bottom bottom bottom middle middle middle middle middle top top top".split(" ") as (
    "top" | "middle" | "bottom"
  )[];

  test.each([
    ["rank", "Ks Kh Jh Jc Th Td Tc 9s 8h 7c 6s 5d 4d 2h"],
    ["pairs", "Th Td Tc Ks Kh Jh Jc 9s 8h 7c 6s 5d 4d 2h"],
    ["suit", "Kh Jh Th 8h 2h Ks 9s 6s Td 5d 4d Jc Tc 7c"],
  ] as const)("sorted by %s", (by, expected) => {
    expect(sorted(many, by).join(" ")).toBe(expected);
  });

  test("the next card is the one after the card just laid, as they are shown", () => {
    const laying = put(select(fantasy(), "Jc"), "Jc", "bottom");
    expect(laying.selected).toBe("Th");
    expect(put(sort(laying, "suit"), "Th", "bottom").selected).toBe("8h");
  });

  test("arrows walk along what is in hand, round the end", () => {
    expect(step(fantasy(), -1).selected).toBe("2h");
    expect(step(fantasy(), 2).selected).toBe("Jh");
    expect(step(put(fantasy(), "Kh", "top"), 1).selected).toBe("Jh");
  });

  test("rows keep together what belongs together, and the rest is the discard", () => {
    const done = all.reduce(tap, fantasy());
    expect(boardOf(done).bottom).toEqual(["Ks", "Kh", "Jh", "Jc", "Th"]);
    expect([isComplete(done), free(done), thrown(done)]).toEqual([true, ["2h"], ["2h"]]);
    expect(placementText(done)).toBe("6s5d4d/TdTc9s8h7c/KsKhJhJcTh x2h");
  });

  test("another order changes nothing but the order", () => {
    const laying = put(fantasy(), "Ks", "bottom");
    expect(placementText(sort(laying, "suit"))).toBe(placementText(laying));
  });
});
