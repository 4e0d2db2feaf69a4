import { describe, expect, test, vi } from "vitest";

import schema from "../protocol.ts?raw";
import type { Reason } from "../api";
import { LOCALES, nameOf, speech } from "./index.svelte";
import { clock, minus, plurals, signed } from "./numbers";
import { apart as enApart } from "../languages/apart/en-apart";
import { apart as ruApart } from "../languages/apart/ru-apart";
import { messages as en } from "../languages/en";
import { messages as ru, type Messages } from "../languages/ru";
import { dayAndTime, span, timeOf } from "../replay/times";

/** Every text of a language that stands by itself, with the path to it. */
function texts(messages: object, path = ""): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[path + key, value]];
    return typeof value === "object" && value !== null ? texts(value as object, `${path}${key}.`) : [];
  });
}

// Which language is spoken is asked of the browser as soon as it is looked at.
vi.hoisted(() => {
  vi.stubGlobal("navigator", { languages: ["de-AT", "en-GB"] });
});

const languages = import.meta.glob<Messages>("../languages/*.ts", { import: "messages", eager: true });
const apart = import.meta.glob<object>("../languages/apart/*.ts", { import: "apart", eager: true });
const sources = import.meta.glob<string>("../languages/**/*.ts", { query: "?raw", import: "default", eager: true });

/** What there is to say, and how: by path, whether it is a text, a list or needs something to be said of. */
function shape(messages: object, path = ""): string[] {
  return Object.entries(messages).flatMap(([key, value]: [string, unknown]): string[] => {
    if (Array.isArray(value)) return [`${path}${key}: ${value.length} texts`];
    if (typeof value === "object" && value !== null) return shape(value, `${path}${key}.`);
    return [`${path}${key}: ${typeof value}`];
  });
}

describe.each(LOCALES)("the language %s", (locale) => {
  const messages = languages[`../languages/${locale}.ts`];
  const words = apart[`../languages/apart/${locale}-apart.ts`];
  const source = [`${locale}.ts`, `apart/${locale}-apart.ts`].map((path) => sources[`../languages/${path}`]).join("");
  const rules = new Intl.PluralRules(locale);

  test("says everything that English says, and no more", () => {
    expect(shape(messages ?? {}).sort()).toEqual(shape(en).sort());
    expect(shape(words ?? {}).sort()).toEqual(shape(enApart).sort());
  });

  test("counts in every form it has", () => {
    const { pluralCategories } = rules.resolvedOptions();
    const counted = [...source.matchAll(/\bcount\((?:[^{}]*?),\s*\{([^}]*)\}/g)].map(([, forms = ""]) => forms);
    expect(counted.length).toBe(source.match(/\bcount\(/g)?.length);
    expect(counted.length).toBeGreaterThan(5);
    for (const forms of counted) {
      const given = [...forms.matchAll(/(\w+):/g)].map(([, form]) => form ?? "");
      // What is left out is said as `other`.
      expect(given, forms).toContain("other");
      expect(pluralCategories, forms).toEqual(expect.arrayContaining(given));
    }
    for (const count of [messages?.points, messages?.cards, messages?.chips]) {
      for (const n of [0, 1, 2, 3, 4, 5, 10, 11, 21, 22, 100, 101, 111, 1_000_000]) {
        expect(count?.(n)).toMatch(new RegExp(`^${n}\\s\\p{L}+$`, "u"));
      }
    }
  });

  test("has a name of its own", () => {
    expect(nameOf(locale)).toMatch(/^\p{Lu}\p{Ll}+$/u);
  });
});

test("a form that a language does not need is said as the others are", () => {
  expect([1, 3].map((n) => plurals("ru")(n, { one: "# раз", other: "# раза" }))).toEqual(["1 раз", "3 раза"]);
  expect([1, 3].map((n) => plurals("ja")(n, { other: "# 枚" }))).toEqual(["1 枚", "3 枚"]);
});

test("money is written as the language writes it, in whole roubles where it is", async () => {
  const written: Record<string, string[]> = {};
  for (const locale of ["ru", "en"]) {
    await speech.choose(locale);
    written[locale] = [0, 1_000, 123_456_700, -50_050].map((amount) => speech.money(amount).replace(/\s/g, " "));
  }
  expect(written).toEqual({
    ru: ["0 ₽", "10 ₽", "1 234 567 ₽", "−500,50 ₽"],
    en: ["₽0", "₽10", "₽1,234,567", "−₽500.50"],
  });
});

test("dates and times are written as the reader's country writes them", () => {
  const at = new Date(2026, 10, 30, 21, 5).getTime();
  const now = new Date(2026, 11, 2).getTime();
  const plain = (text: string): string => text.replace(/\s/g, " ");
  expect(["ru", "en-GB", "en-US"].map((locale) => plain(timeOf(at, locale)))).toEqual(["21:05", "21:05", "9:05 PM"]);
  expect(plain(dayAndTime(at, "ru", now))).toMatch(/^30 ноября\D+21:05$/);
  expect(plain(dayAndTime(at, "en-GB", now))).toMatch(/^30 November\D+21:05$/);
  expect(plain(dayAndTime(at, "ru", new Date(2027, 0, 2).getTime()))).toContain("2026");
  expect(plain(span(at, at + 3_600_000, "ru", now))).toMatch(/^30 ноября\D+21:05\D+22:05$/);
});

describe.each([
  ["ru", ru, ruApart, /[A-Za-z]{4,}/],
  ["en", en, enApart, /[а-яё]/i],
])("%s", (_, messages, words, foreign) => {
  test.each([...texts(messages), ...texts(words)])("%s is said in this language", (path, text) => {
    expect(text).not.toBe("");
    if (path !== "language") expect(text.replace(/Enter|Kiwi/g, "")).not.toMatch(foreign);
  });

  // The codes as the wire's own types have them.
  const codes = [...(/code:\s*((?:\|\s*"[a-z-]+"\s*)+);/.exec(schema)?.[1] ?? "").matchAll(/"([a-z-]+)"/g)];
  test("all codes were found", () => {
    expect(codes.length).toBeGreaterThan(25);
  });
  test.each(codes.map(([, code]) => code as Reason["code"]))("%s is explained", (code) => {
    const text = messages.refusal({ code, args: { name: "7", value: "7", needed: 7, placed: 7 }, text: "" });
    expect(text).not.toMatch(/undefined|^$/);
    expect(text).not.toMatch(foreign);
  });
});

test("Russian counts as Russian does", () => {
  const counted = [1, 2, 5, 11, 21, 22, 25, 111].map(ru.points);
  expect(counted).toEqual(["1 очко", "2 очка", "5 очков", "11 очков", "21 очко", "22 очка", "25 очков", "111 очков"]);
  expect([1, 2, 5].map(ru.laying.left)).toEqual(["Осталась 1 карта", "Осталось 2 карты", "Осталось 5 карт"]);
  expect([1, 3, 5].map(ru.table.spectators)).toEqual(["1 зритель", "3 зрителя", "5 зрителей"]);
  expect([["Боря"], ["Боря", "Зоя"]].map(ru.laying.othersLay)).toEqual([
    "Раскладывает: Боря",
    "Раскладывают: Боря, Зоя",
  ]);
  expect([1, 2].map(en.points)).toEqual(["1 point", "2 points"]);
});

test("cards have names", () => {
  expect([ru.card("Qs"), ru.card("Th"), ru.card("2d"), ru.card("Ac")]).toEqual([
    "дама пик",
    "10 червей",
    "2 бубен",
    "туз треф",
  ]);
  expect([en.card("Qs"), en.card("Th")]).toEqual(["queen of spades", "10 of hearts"]);
});

test("rows have names", () => {
  expect(ru.worth({ category: "pair", ranks: [12] })).toBe("Пара дам");
  expect(ru.worth({ category: "pair", ranks: [8] })).toBe("Пара 8");
  expect(ru.worth({ category: "flush", ranks: [14, 9, 7, 6, 2] })).toBe("Флеш от туза");
  expect(ru.worth({ category: "straight-flush", ranks: [14] })).toBe("Роял-флеш");
  expect(ru.needs({ category: "pair", ranks: [13] })).toBe("нужна пара K+");
  expect(en.worth({ category: "full-house", ranks: [10, 11] })).toBe("Full house, 10 over J");
});

test("numbers are written with a true minus, clocks rounded up", () => {
  expect([signed(7), signed(0), signed(-7), minus(-7), minus(7)]).toEqual(["+7", "0", "−7", "−7", "7"]);
  expect([clock(72_000), clock(71_001), clock(5_000), clock(1), clock(0)]).toEqual([
    "1:12",
    "1:12",
    "0:05",
    "0:01",
    "0:00",
  ]);
});
