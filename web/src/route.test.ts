import { expect, test, vi } from "vitest";

vi.hoisted(() => {
  vi.stubGlobal("location", { pathname: "/T", hash: "" });
  vi.stubGlobal("addEventListener", () => undefined);
  vi.stubGlobal("scrollTo", () => undefined);
  vi.stubGlobal("history", { state: null, pushState: () => undefined, replaceState: () => undefined });
});
const { route, tableIn } = await import("./route.svelte");

test.each([
  ["abc234def567", "abc234def567"],
  ["ABC234DEF567", "abc234def567"],
  ["  Abc234def567 \n", "abc234def567"],
  ["ABC2 34DE F567", "abc234def567"],
  ["http://192.168.1.5:8000/t/abc234def567", "abc234def567"],
  ["HTTPS://ROOM.EXAMPLE/T/ABC234DEF567/", "abc234def567"],
  [" https://room.example/t/abc234def567?x=1#open ", "abc234def567"],
  ["", null],
  ["   ", null],
  ["https://room.example/h/abc234def567", null],
  ["Кухня", null],
])("the table in %j is %j", (text, table) => {
  expect(tableIn(text)).toBe(table);
});

test.each([
  ["/t/ABC234", "table", "abc234"],
  ["/t/ABC234/hands", "hands", "abc234"],
  ["/t/ABC234/hands/7/review", "review", "abc234"],
  ["/t/ABC234/account/", "account", "abc234"],
  ["/h/AbC_-9", "shared", "AbC_-9"],
  ["/h/AbC_-9/review", "shared-review", "AbC_-9"],
  ["/d/AbC_-9", "device", "AbC_-9"],
])("at %s, codes are read in any case and links as they are", (path, page, id) => {
  (location as { pathname: string }).pathname = path;
  route.go(path);
  expect([route.page, route.id]).toEqual([page, id]);
});
