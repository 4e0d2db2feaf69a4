import { beforeEach, expect, test, vi } from "vitest";

import { hasPlayed, isNewcomer, skipLesson } from "./kept";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

test("one is new until one plays or leaves the lesson aside", () => {
  expect(isNewcomer()).toBe(true);
  skipLesson();
  expect(isNewcomer()).toBe(false);
});

test("who has played is not new", () => {
  hasPlayed();
  expect(isNewcomer()).toBe(false);
});

test("a browser that keeps nothing is no error", () => {
  vi.stubGlobal("localStorage", undefined);
  skipLesson();
  expect(isNewcomer()).toBe(true);
});
