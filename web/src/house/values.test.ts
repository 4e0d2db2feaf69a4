import { describe, expect, test } from "vitest";

import { en } from "./en";
import { ru } from "./ru";
import { BASES, changed, CHOICES, FIELDS, matters, mostSeats, SETS, type Choice } from "./values";

test("what differs from a named set is found, in the order of the fields", () => {
  expect(changed(SETS.room, "room")).toEqual([]);
  expect(changed({ ...SETS.club, scoring: "2-4", deal: "13" }, "club")).toEqual(["deal", "scoring"]);
});

test("what says nothing is left out", () => {
  const off = { ...SETS.room, fantasyland: "off", royalties: "none" };
  expect(FIELDS.filter((field) => !matters(field, off))).toContain("fantasyland_timing");
  expect(matters("royalty_table", off)).toBe(false);
  expect(FIELDS.every((field) => matters(field, SETS.room))).toBe(true);
});

test("no more seats are offered than one deck is enough for", () => {
  expect(BASES.map((base) => [base, mostSeats(SETS[base])])).toEqual([
    ["room", 3],
    ["club", 4],
    ["club-pineapple", 3],
    ["progressive", 3],
  ]);
});

describe.each([
  ["ru", ru, /[A-Za-z]{4,}/],
  ["en", en, /[а-яё]/i],
])("%s", (_, words, foreign) => {
  test("every set, field and value has its words", () => {
    for (const base of BASES) {
      expect(words.about[base]).not.toMatch(foreign);
      for (const field of FIELDS) {
        expect(words.labels[field]).not.toMatch(foreign);
        expect(words.say(field, SETS[base][field])).not.toMatch(foreign);
      }
    }
    for (const [field, choices] of Object.entries(CHOICES) as [Choice, string[]][]) {
      for (const choice of choices) {
        const said = words.say(field, choice);
        expect(said).not.toMatch(foreign);
        if (field !== "fantasyland_entry") expect(said).not.toBe(choice);
      }
    }
  });
  test.each(["from 2 to 4", "4 seats of up to 17 cards need 68, a deck has 52", "a whole number", "", "anything else"])(
    "why not: %s",
    (detail) => {
      expect(words.why(detail)).not.toMatch(words === ru ? foreign : /^$/);
    },
  );
});
