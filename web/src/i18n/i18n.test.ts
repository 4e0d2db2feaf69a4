import { describe, expect, test } from "vitest";

import schema from "../protocol.ts?raw";
import type { Reason } from "../api";
import { clock, minus, signed } from "./numbers";
import { messages as en } from "../languages/en";
import { messages as ru } from "../languages/ru";

/** Every text of a language that stands by itself, with the path to it. */
function texts(messages: object, path = ""): [string, string][] {
  return Object.entries(messages).flatMap(([key, value]): [string, string][] => {
    if (typeof value === "string") return [[path + key, value]];
    return typeof value === "object" && value !== null ? texts(value as object, `${path}${key}.`) : [];
  });
}

describe.each([
  ["ru", ru, /[A-Za-z]{4,}/],
  ["en", en, /[а-яё]/i],
])("%s", (_, messages, foreign) => {
  test.each(texts(messages))("%s is said in this language", (path, text) => {
    expect(text).not.toBe("");
    if (path !== "language") expect(text.replace("Enter", "")).not.toMatch(foreign);
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
