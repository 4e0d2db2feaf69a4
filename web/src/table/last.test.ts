import { beforeEach, expect, test, vi } from "vitest";

import { dropTable, keepTable, lastTable } from "./last";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
});

test("a table is remembered by its id and name until it is left", () => {
  expect(lastTable()).toBeNull();
  keepTable({ id: "dnepr-71", name: "Вечерний стол" });
  expect(lastTable()).toEqual({ id: "dnepr-71", name: "Вечерний стол" });
  dropTable("dnepr-71");
  expect(lastTable()).toBeNull();
});

test("watching another table forgets nothing", () => {
  keepTable({ id: "dnepr-71", name: "Вечерний стол" });
  dropTable("volga-5");
  expect(lastTable()?.id).toBe("dnepr-71");
});

test("what was written by somebody else is no table", () => {
  localStorage.setItem("ananas.table", "rubbish");
  expect(lastTable()).toBeNull();
});
