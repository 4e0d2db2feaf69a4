import { afterEach, beforeEach, expect, test, vi } from "vitest";

import { OpenTables } from "./tables.svelte";

const answers = vi.fn<(path: string) => Promise<Response>>();
let page: EventTarget & { visibilityState: DocumentVisibilityState };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", answers);
  answers.mockReset().mockImplementation(() => Promise.resolve(Response.json({ tables: [{ table: "a" }] })));
  page = Object.assign(new EventTarget(), { visibilityState: "visible" as const });
});
afterEach(() => {
  vi.useRealTimers();
});

const seen = (state: DocumentVisibilityState): void => {
  page.visibilityState = state;
  page.dispatchEvent(new Event("visibilitychange"));
};
const pass = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

test("the tables are asked for at once and every five seconds, and not any more in the end", async () => {
  const tables = new OpenTables();
  const end = tables.watch(page);
  expect(tables.list).toBeNull();
  await pass(0);
  expect(tables.list).toEqual([{ table: "a" }]);
  await pass(10_000);
  expect(answers).toHaveBeenCalledTimes(3);
  end();
  await pass(20_000);
  seen("visible");
  await pass(0);
  expect(answers).toHaveBeenCalledTimes(3);
});

test("nobody is asked while nobody looks, and at once when somebody does again", async () => {
  const tables = new OpenTables();
  tables.watch(page);
  await pass(0);
  seen("hidden");
  await pass(60_000);
  expect(answers).toHaveBeenCalledTimes(1);
  seen("visible");
  await pass(0);
  expect(answers).toHaveBeenCalledTimes(2);
});

test("a room that does not answer leaves what was known, and is asked on", async () => {
  const tables = new OpenTables();
  tables.watch(page);
  await pass(0);
  answers.mockRejectedValueOnce(new TypeError("no network"));
  await pass(5000);
  expect([tables.away, tables.list?.length]).toEqual([true, 1]);
  await pass(5000);
  expect(tables.away).toBe(false);
});
