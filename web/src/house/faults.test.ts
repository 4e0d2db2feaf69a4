import { describe, expect, test } from "vitest";

import single from "../../../tests/data/rule_values.txt?raw";
import together from "../../../tests/data/rules_together.txt?raw";
import { apart as english } from "../languages/apart/en-apart";
import { apart as russian } from "../languages/apart/ru-apart";
import { faultsOf, fitting, marksOf } from "./faults";
import {
  BASES,
  FIELDS,
  mattering,
  namedTable,
  ROYALTY_TABLES,
  SETS,
  type Base,
  type Field,
  type Values,
} from "./values";

const [ru, en] = [russian.house, english.house];

/** The lines of a table of tests/data: what is set, and what the room says to it. */
const rows = (table: string): string[][] =>
  table
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .map((line) => line.split("|").map((cell) => cell.trim()));

const settings = (text: string): [Base, Partial<Values>] => {
  const [base = "", ...changes] = text.split(/\s+/);
  return [base as Base, Object.fromEntries(changes.map((change) => change.split("=") as [string, string]))];
};

const known = rows(single).filter(([field]) => FIELDS.includes(field as Field));
const whole = rows(together).filter(
  ([text = "", verdict = ""]) => BASES.includes(settings(text)[0]) && !/NAME=VALUE|no such rule/.test(verdict),
);

describe("as the room has it", () => {
  test("the tables were found", () => {
    expect([known.length > 80, whole.length > 12]).toEqual([true, true]);
  });
  test.each(known)("%s = %s: %s", (field = "", value = "", verdict = "") => {
    const faults = faultsOf({ ...SETS.room, [field]: value });
    expect(faults.length === 0).toBe(verdict.startsWith("ok"));
    for (const { fields, why } of faults) {
      expect(fields).toContain(verdict.includes("seats of up to") ? "seats" : field);
      const bounds = /from (\d+) to (\d+)$/.exec(verdict);
      if (bounds && field !== "royalty_table")
        expect(why).toMatchObject({ is: "range", least: Number(bounds[1]), most: Number(bounds[2]) });
    }
  });
  test.each(whole)("%s: %s", (text = "", verdict = "") => {
    const [base, own] = settings(text);
    const [first] = faultsOf({ ...SETS[base], ...own });
    expect(first?.fields[0]).toBe(/^no (\w+):/.exec(verdict)?.[1]);
  });
});

test("four seats of fourteen cards are marked at what was changed, and both are named", () => {
  const faults = faultsOf({ ...SETS.club, fantasyland_cards: "14" });
  const marks = marksOf(faults, ["hand_seconds", "fantasyland_cards"]);
  expect([...marks.keys()]).toEqual(["fantasyland_cards"]);
  expect(marks.get("fantasyland_cards")).toEqual({ is: "deck", seats: 4, cards: 14, deck: 52, most: 13 });
  expect([...marksOf(faults, ["fantasyland_cards", "seats"]).keys()]).toEqual(["seats"]);
  const [said = ""] = faults.map(({ why }) => ru.why(why));
  expect(said).toBe(
    "4 места, у каждого до 14 карт: нужно 56, а в колоде 52. Пусть мест будет меньше или карт не больше 13",
  );
});

test("streets that do not go together are marked at those that were changed last", () => {
  const faults = faultsOf({ ...SETS.room, deal: "5,3,3,3" });
  expect(marksOf(faults, ["deal"])).toEqual(new Map([["deal", { is: "as-many", dealt: 4, laid: 5 }]]));
});

test("another set keeps what can be played with it, and gives back the rest with the first", () => {
  const own = { seats: "2-4", hand_seconds: "60", bank_seconds: "9999" };
  const room = fitting(own, "room");
  expect(room).toEqual({ own: { hand_seconds: "60", bank_seconds: "9999" }, aside: { seats: "2-4" } });
  expect(fitting({ ...room.aside, ...room.own }, "club")).toEqual({ own, aside: {} });
});

test("what does not matter is left as in the set", () => {
  const values = mattering({ ...SETS.club, fantasyland: "off", fantasyland_cards: "99" }, "club");
  expect(values).toEqual({ ...SETS.club, fantasyland: "off" });
  expect(faultsOf(values)).toEqual([]);
});

test("a table of royalties that has a name is called by it", () => {
  for (const [name, lists] of Object.entries(ROYALTY_TABLES)) expect(namedTable(lists)).toBe(name);
  const own = (ROYALTY_TABLES.american ?? "").replace(/25$/, "26");
  expect(namedTable(own)).toBe(own);
});

test.each([...known, ...whole.map(([text = "", verdict = ""]) => ["", text, verdict])])(
  "both languages say why not %s %s",
  (field = "", text = "") => {
    const [base, changes] = field === "" ? settings(text) : (["room", { [field]: text }] as const);
    for (const { why } of faultsOf({ ...SETS[base], ...changes })) {
      expect(ru.why(why)).not.toMatch(/[A-Za-z]|^$/);
      expect(en.why(why)).not.toMatch(/[а-яё]|^$/i);
    }
  },
);
