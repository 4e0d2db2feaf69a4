import { describe, expect, test } from "vitest";

import bookRu from "../../../docs/rules.ru.md?raw";
import bookEn from "../../../docs/rules.md?raw";
import { apart as english } from "../languages/apart/en-apart";
import { apart as russian } from "../languages/apart/ru-apart";
import { messages as messagesEn } from "../languages/en";
import { messages as messagesRu } from "../languages/ru";
import {
  BASES,
  changed,
  CHOICES,
  choicesOf,
  FIELDS,
  isChoice,
  isOffered,
  matters,
  mostSeats,
  NOT_YET,
  ROYALTY_TABLES,
  SETS,
  type Choice,
} from "./values";

const [ru, en] = [russian.house, english.house];

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
  test("pairs are called by their cards", () => {
    const said = (pair: string): string => words.say("fantasyland_entry", pair);
    expect(said("TT")).toBe(words === ru ? "пара десяток на верху и старше" : "a pair of tens or better on top");
    expect(CHOICES.fantasyland_entry.filter((pair) => /\d|[A-Z]{2}/.test(said(pair)))).toEqual([]);
  });
});

describe.each([
  ["ru", ru, bookRu, messagesRu.sets],
  ["en", en, bookEn, messagesEn.sets],
])("the rule book in %s", (_, words, book, sets) => {
  /** The line on a field in chapter 17. */
  const line = (field: string): string => new RegExp(`^\\| \`${field}\` \\| [«“].*$`, "m").exec(book)?.[0] ?? "";

  test("names the fields as the screen does", () => {
    for (const field of FIELDS) expect(line(field)).toMatch(new RegExp(`[«“]${words.labels[field]}[»”]`));
  });
  test("names the values as the screen does", () => {
    const values = [
      ...Object.entries(CHOICES).filter(([field]) => field !== "fantasyland_entry"),
      ["royalty_table", Object.keys(ROYALTY_TABLES)] as const,
      ["fantasyland_stay", [...Object.keys(words.stays), "none"]] as const,
      ["fantasyland_repeats", ["unlimited"]] as const,
    ];
    for (const [field, choices] of values as [Choice, string[]][])
      for (const choice of choices.filter((value) => NOT_YET[field] !== value))
        // The scoring is called by its own figures on the screen.
        expect(line(field)).toContain(`${choice}: ${words.say(field, choice).replace(/^\d–\d, /, "")}`);
  });
  test("names the sets as the screen does", () => {
    for (const base of BASES) expect(book).toMatch(new RegExp(`\`${base}\`[^|]{1,10}[«“]${sets[base]}[»”]`));
  });
});

test("nothing is offered that cannot be chosen", () => {
  for (const field of FIELDS.filter(isChoice)) {
    expect(choicesOf(field)).not.toContain(NOT_YET[field]);
    expect(choicesOf(field)).toContain(SETS.room[field]);
    expect(isOffered(field)).toBe(choicesOf(field).length > 1);
  }
  expect(isOffered("hand_seconds")).toBe(true);
});
