import { beforeEach, describe, expect, test, vi } from "vitest";

import { following, keepSolved, lastSolved, resultOf, type Solved } from "./kept";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const SOLVED: Solved = { date: "2026-11-30", number: 12, placement: "Qd/-/3s xKh", result: "solved", streak: 4 };
const next = { date: "2026-12-01", number: 13 };

describe("the last answer", () => {
  test("is none at first", () => {
    expect(lastSolved()).toBeNull();
  });
  test("is remembered", () => {
    keepSolved(SOLVED);
    expect(lastSolved()).toEqual(SOLVED);
  });
  test.each([
    "",
    "{",
    "7",
    "null",
    "[]",
    JSON.stringify({ ...SOLVED, result: "won" }),
    JSON.stringify({ ...SOLVED, number: "12" }),
    JSON.stringify({ ...SOLVED, streak: null }),
  ])("is none where %s was written", (text) => {
    localStorage.setItem("ananas.puzzle", text);
    expect(lastSolved()).toBeNull();
  });
  test("is none where the browser keeps nothing", () => {
    vi.stubGlobal("localStorage", undefined);
    expect(lastSolved()).toBeNull();
    expect(() => {
      keepSolved(SOLVED);
    }).not.toThrow();
  });
});

describe("how an answer did", () => {
  test.each([
    ["best", "solved"],
    ["equal", "solved"],
    ["forced", "solved"],
    ["near", "near"],
    ["inaccuracy", "not"],
    ["mistake", "not"],
  ] as const)("of %s is %s", (verdict, result) => {
    expect(resultOf(verdict)).toBe(result);
  });
});

describe("days in a row", () => {
  test("begin with the first one that goes well", () => {
    expect(following(null, next, "x", "solved").streak).toBe(1);
    expect(following(null, next, "x", "not").streak).toBe(0);
  });
  test("go on from the day before", () => {
    expect(following(SOLVED, next, "x", "near").streak).toBe(5);
  });
  test("end with a miss, and with a day left out", () => {
    expect(following(SOLVED, next, "x", "not").streak).toBe(0);
    expect(following(SOLVED, { date: "2026-12-02", number: 14 }, "x", "solved").streak).toBe(1);
  });
  test("do not count a second answer", () => {
    expect(following(SOLVED, SOLVED, "other", "not")).toBe(SOLVED);
  });
});
