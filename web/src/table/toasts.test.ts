import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Toasts } from "./toasts.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("one after the other, each five seconds", () => {
  const toasts = new Toasts<string>();
  expect(toasts.now).toBe(null);
  toasts.add(["one", "two"]);
  vi.advanceTimersByTime(4_000);
  toasts.add(["three"]);
  expect(toasts.now).toBe("one");
  vi.advanceTimersByTime(1_000);
  expect(toasts.now).toBe("two");
  vi.advanceTimersByTime(5_000);
  expect(toasts.now).toBe("three");
  vi.advanceTimersByTime(5_000);
  expect(toasts.now).toBe(null);
});

test("what was read before its time makes room for the next, which has its whole time", () => {
  const toasts = new Toasts<string>();
  toasts.add(["one", "two"]);
  vi.advanceTimersByTime(3_000);
  toasts.next();
  vi.advanceTimersByTime(4_000);
  expect(toasts.now).toBe("two");
  toasts.next();
  toasts.add(["three"]);
  vi.advanceTimersByTime(4_900);
  expect(toasts.now).toBe("three");
});
