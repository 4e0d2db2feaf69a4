import { describe, expect, test } from "vitest";

import enters from "../../../tests/data/fantasyland.txt?raw";
import keeps from "../../../tests/data/fantasyland_stay.txt?raw";
import { parsePlacement } from "../board/cards";
import { prospect, type Prospect } from "../board/prospect";
import showdown from "../../dev/fixtures/showdown.json";
import type { RuleSet } from "../protocol";
import { SETS, valuesOf, type Base, type Values } from "../house/values";
import { entry, stays } from "./fantasy";

const room = (showdown as unknown as { view: { rules: RuleSet } }).view.rules;

/** Rules as the heads of the tables tell them, as far as they bear on Fantasyland. */
function rulesOf(text: string): RuleSet {
  const [base = "", ...settings] = text.split(" ");
  const changes = Object.fromEntries(settings.map((part) => part.split("=") as [string, string]));
  const values: Values = { ...SETS[base as Base], ...changes };
  const cards = values.fantasyland_cards.split(",").map(Number);
  return {
    ...room,
    fantasyland: values.fantasyland as RuleSet["fantasyland"],
    fantasyland_cards: [0, 1, 2, 3].map((at) => cards[at] ?? cards[0]) as RuleSet["fantasyland_cards"],
    fantasyland_entry: values.fantasyland_entry as RuleSet["fantasyland_entry"],
    fantasyland_stay: values.fantasyland_stay.split(",") as RuleSet["fantasyland_stay"],
  };
}

/** The cells of a table of tests/data, each with its row and the rules its column is for. */
function cells(table: string): [string, string, string][] {
  const lines = table.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const [head = [], ...rows] = lines.map((line) => line.split("|").map((cell) => cell.trim()));
  return rows.flatMap(([what = "", ...found]) =>
    found.map((cell, place): [string, string, string] => [what, head[place + 1] ?? "", cell]),
  );
}

describe("as the room's rules have it", () => {
  test.each(cells(enters))("%s on top by %s brings %s", (top, rules, cards) => {
    expect(entry(parsePlacement(`${top}/-/-`), rulesOf(rules))).toBe(Number(cards));
  });
  test.each(cells(keeps))("%s by %s stays: %s", (board, rules, answer) => {
    expect(stays(parsePlacement(board), rulesOf(rules)) ? "yes" : "no").toBe(answer);
  });
});

test("a table's rules are printed as the room prints them", () => {
  expect(valuesOf(room)).toEqual(SETS.room);
});

describe("what is seen to come", () => {
  const seen = (board: string, rules: string, inFantasyland = false, stayedAtMost = 0): Prospect | null =>
    prospect({ board: parsePlacement(board), gone: [], rules: rulesOf(rules), inFantasyland, stayedAtMost });

  test("queens on top lead there, a board that is legal for good has it", () => {
    expect(seen("QsQd/8h/Kc", "room")).toEqual({ state: "heading", cards: null });
    expect(seen("QsQd2c/8h8d3c3h9s/KcKd9c9h4d", "room")).toEqual({ state: "secured", cards: null });
    expect(seen("QsQd2c/8h8d7c3h9s/KcKd9c9h4d", "room")).toEqual({ state: "heading", cards: null });
    expect(seen("JsJd/8h/Kc", "room")).toBeNull();
  });
  test("how many cards is told where it varies", () => {
    expect(seen("KsKd/8h/Kc", "progressive")).toEqual({ state: "heading", cards: 15 });
  });
  test("in Fantasyland only what keeps one there counts", () => {
    const trips = "QsQdQh/2c3d4h5s6c/KcKdKh9h9d";
    expect(seen("AsAd/-/-", "room", true)).toEqual({ state: "name", cards: null });
    expect(seen(trips, "room", true)).toEqual({ state: "again", cards: null });
  });
  test("where one may have stayed too often already, nothing is promised", () => {
    const once = { ...rulesOf("club"), fantasyland_repeats: 1 };
    const moment = {
      board: parsePlacement("QsQdQh/2c3d4h5s6c/KcKdKh9h9d"),
      gone: [],
      rules: once,
      inFantasyland: true,
    };
    expect(prospect({ ...moment, stayedAtMost: 0 })?.state).toBe("again");
    expect(prospect({ ...moment, stayedAtMost: 1 })?.state).toBe("name");
  });
});
