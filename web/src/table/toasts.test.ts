import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { Toasts } from "./toasts.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("one after the other, each five seconds", () => {
  const toasts = new Toasts<string>(() => false);
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
  const toasts = new Toasts<string>(() => false);
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

test("what has been overtaken is told no more, and the newer has its whole time", () => {
  const toasts = new Toasts<string>((newer, older) => newer.charAt(0) === older.charAt(0));
  toasts.add(["a stopped", "b"]);
  vi.advanceTimersByTime(4_000);
  toasts.add(["a goes on"]);
  expect(toasts.now).toBe("b");
  vi.advanceTimersByTime(5_000);
  expect(toasts.now).toBe("a goes on");
  toasts.add(["a stopped again"]);
  expect(toasts.now).toBe("a stopped again");
  vi.advanceTimersByTime(4_900);
  expect(toasts.now).toBe("a stopped again");
  vi.advanceTimersByTime(200);
  expect(toasts.now).toBe(null);
});

test("what is longer to read stands longer", () => {
  const toasts = new Toasts<string>(
    () => false,
    (told) => 1_000 * told.length,
  );
  toasts.add(["long to read.", "one"]);
  vi.advanceTimersByTime(12_900);
  expect(toasts.now).toBe("long to read.");
  vi.advanceTimersByTime(200);
  expect(toasts.now).toBe("one");
  vi.advanceTimersByTime(3_000);
  expect(toasts.now).toBe(null);
});
