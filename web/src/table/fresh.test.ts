import { expect, test } from "vitest";

import { Fresh } from "./fresh";

const numbered = (...numbers: number[]): { number: number }[] => numbers.map((number) => ({ number }));

test("what was there at first is not new, what comes after is, once", () => {
  const fresh = new Fresh();
  expect(fresh.look(numbered(1, 2))).toEqual([]);
  expect(fresh.look(numbered(1, 2, 3, 4))).toEqual(numbered(3, 4));
  expect(fresh.look(numbered(2, 3, 4))).toEqual([]);
});

test("a list that was empty at first", () => {
  const fresh = new Fresh();
  expect(fresh.look([])).toEqual([]);
  expect(fresh.look(numbered(1))).toEqual(numbered(1));
});

test("what has been forgotten in between is not new again", () => {
  const fresh = new Fresh();
  fresh.look(numbered(7));
  expect(fresh.look([])).toEqual([]);
  expect(fresh.look(numbered(7))).toEqual([]);
  expect(fresh.look(numbered(8))).toEqual(numbered(8));
});

test("a room that counts anew is heard", () => {
  const fresh = new Fresh();
  fresh.look(numbered(40));
  expect(fresh.look(numbered(1))).toEqual(numbered(1));
  expect(fresh.look(numbered(1, 2))).toEqual(numbered(2));
});
