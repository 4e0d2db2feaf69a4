import { expect, test } from "vitest";

import { kept } from "./kept";

test("what is asked again is not reckoned again, as long as it is among the last", () => {
  const asked: number[] = [];
  const double = kept(({ n }: { n: number }) => asked.push(n) && 2 * n, 2);
  expect([1, 1, 2, 1, 3, 2, 1].map((n) => double({ n }))).toEqual([2, 2, 4, 2, 6, 4, 2]);
  expect(asked).toEqual([1, 2, 3, 1]);
});
