import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { fetchAhead, Later } from "./later.svelte";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a part is fetched when it is wanted, once, and not for being looked at", async () => {
  const load = vi.fn(() => Promise.resolve("here"));
  const later = new Later(load);
  expect([later.part, load.mock.calls.length]).toEqual([null, 0]);
  expect(later.want()).toBe(null);
  later.want();
  await vi.advanceTimersByTimeAsync(0);
  expect([later.part, later.want(), load.mock.calls.length]).toEqual(["here", "here", 1]);
});

test("what could not be had is asked for again after a while", async () => {
  const load = vi.fn<() => Promise<string>>().mockRejectedValueOnce(new Error("no line")).mockResolvedValue("here");
  const later = new Later(load);
  later.fetch();
  await vi.advanceTimersByTimeAsync(0);
  expect([later.failed, later.want()]).toEqual([true, null]);
  await vi.advanceTimersByTimeAsync(4_000);
  expect(load).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(1_000);
  expect([later.failed, later.part, load.mock.calls.length]).toEqual([false, "here", 2]);
});

test("parts are fetched ahead one after the other, until that is stopped", () => {
  const tasks: (() => void)[] = [];
  vi.stubGlobal("window", { requestIdleCallback: true });
  vi.stubGlobal("requestIdleCallback", (task: () => void) => tasks.push(task));
  const fetched: number[] = [];
  const stop = fetchAhead([1, 2, 3].map((name) => ({ fetch: () => fetched.push(name) })));
  expect(fetched).toEqual([]);
  tasks.shift()?.();
  tasks.shift()?.();
  expect(fetched).toEqual([1, 2]);
  stop();
  tasks.shift()?.();
  expect(fetched).toEqual([1, 2]);
});
