import { expect, test } from "vitest";

import mistaken from "../../dev/coach/review.json";
import type { HandReview, Option, StreetReview } from "../protocol";
import {
  curve,
  inTenths,
  isCovered,
  laidOn,
  markOf,
  moved,
  moves,
  normal,
  optionOf,
  outcome,
  percent,
  same,
  shares,
  summary,
  tenths,
  within,
} from "./judged";

const review = mistaken as unknown as HandReview;
const [first] = review.streets;
if (!first) throw Error("there is no street");

const option = (placement: string, points: number, more: Partial<Option> = {}): Option => ({
  placement,
  points,
  behind: 10 - points,
  error: 0.1,
  foul: 0,
  fantasyland: 0,
  equal: false,
  guess: false,
  ...more,
});
const BEST = option("-/KdTc/- x3h", 10, { equal: true });
const TIE = option("-/Kd3h/- xTc", 9.9, { equal: true });
const CHOSEN = option("Kd/Tc/- x3h", 5);
const JUDGED = { options: [BEST, TIE, option("-/Tc3h/- xKd", 8), CHOSEN, option("Tc/Kd/- x3h", 2)], chosen: CHOSEN };

test("the order of cards within a row makes no other placement, and the row does", () => {
  expect(same("Qs/8h9h/- x3h", "Qs/9h8h/- x3h")).toBe(true);
  expect(same("-/-/AcKd x2c3h", "-/-/KdAc x3h2c")).toBe(true);
  expect(same("Qs/8h/- x3h", "8h/Qs/- x3h")).toBe(false);
  expect(same("Qs/8h/- x3h", "Qs/3h/- x8h")).toBe(false);
  expect(normal("Qs/8h/-")).toBe(normal("Qs/8h/-"));
});

test("what is written of the points of placements adds up, whatever was rounded", () => {
  const best = option("-/KdTc/- x3h", 15.86, { behind: 0 });
  const chosen = option("Kd/Tc/- x3h", 13.92, { behind: 1.94 });
  const told = inTenths({ ...first, options: [best, chosen], chosen });
  expect(told.options.map(({ points }) => tenths(points, "en"))).toEqual(["+15.9", "+14.0"]);
  expect(tenths(told.chosen.points, "en")).toBe("+14.0");
  for (const street of review.streets.map(inTenths))
    for (const { points, behind } of [...street.options, street.chosen])
      expect(points).toBeCloseTo((street.options[0]?.points ?? 0) - Math.round(behind * 10) / 10, 9);
});

test("every placement that was judged is found again, however its rows are written", () => {
  for (const judged of first.options) {
    const [rows = "", thrown] = judged.placement.split(" ");
    const turned = rows
      .split("/")
      .map((row) => (row === "-" ? row : (row.match(/../g) ?? []).reverse().join("")))
      .join("/");
    expect(optionOf(first.options, thrown === undefined ? turned : `${turned} ${thrown}`)).toBe(judged);
  }
  expect(optionOf(first.options, "As/-/-")).toBe(null);
});

test("a placement is laid on the board that was there", () => {
  const board = { top: ["Qs"], middle: [], bottom: ["Kc"] } as unknown as StreetReview["spot"]["board"];
  expect(laidOn(board, "Qd/-/Ac x2s")).toEqual({
    board: { top: ["Qs", "Qd"], middle: [], bottom: ["Kc", "Ac"] },
    fresh: ["Qd", "Ac"],
    thrown: ["2s"],
  });
  expect(moved("AsKs/Qh/-", "As/QhKs/-")).toEqual(["Ks"]);
});

test.each([
  ["-/TcKd/- x3h", "best"],
  ["-/3hKd/- xTc", "equal"],
  ["-/Tc3h/- xKd", "better"],
  ["Kd/Tc/- x3h", "same"],
  ["Tc/Kd/- x3h", "worse"],
])("a try %s is told as %s", (placement, told) => {
  const tried = optionOf(JUDGED.options, placement);
  expect(tried && outcome(JUDGED, tried)).toBe(told);
});

test("what errs by as much as it differs is told as no better and no worse", () => {
  const near = option("Tc/Kd/- x3h", 5.2, { error: 0.2 });
  expect(outcome(JUDGED, near)).toBe("close");
});

test("the answer is kept back where there was better, and never in Fantasyland", () => {
  expect(review.streets.map(isCovered)).toEqual(
    review.streets.map(({ verdict }) => verdict === "mistake" || verdict === "inaccuracy"),
  );
  expect(isCovered({ ...first, verdict: "mistake", spot: { ...first.spot, fantasyland: 14 } })).toBe(false);
  expect(isCovered({ ...first, verdict: "near" })).toBe(false);
});

test("the best moves are shown, and one's own wherever it stands, with bars that never vanish", () => {
  const shown = moves(JUDGED, 2);
  expect(shown.map(({ place }) => place)).toEqual([1, 2, 4]);
  expect(shown.map(({ best, yours }) => [best, yours])).toEqual([
    [true, false],
    [false, false],
    [false, true],
  ]);
  const bars = shown.map(({ bar }) => bar);
  expect(bars).toEqual(bars.toSorted((a, b) => b - a));
  expect(bars[0]).toBe(1);
  expect(bars.at(-1)).toBeGreaterThan(0);
});

test("amounts are written in tenths, with a true minus and the language's comma", () => {
  expect([4.12, -4.12, 0.04, -0.04, 0, 10].map((amount) => tenths(amount, "ru"))).toEqual([
    "+4,1",
    "−4,1",
    "0",
    "0",
    "0",
    "+10,0",
  ]);
  expect(tenths(-4.12, "en")).toBe("−4.1");
  expect([0, 0.01, 0.24].map((error) => within(error, "ru"))).toEqual(["", " ± 0,1", " ± 0,2"]);
  expect([0, 0.004, 0.36, 0.995, 1].map(percent)).toEqual(["0%", "<1%", "36%", ">99%", "100%"]);
});

test.each([
  [-18, 0, -4.46, 0],
  [7, 2.34, -0.36, -12.35],
  [0, -3.75, -10.05, -0.05],
  [15, 0, 0, -2.449],
])("of %f points and %f for rights, what is written adds up", (result, right, decisions, by_table) => {
  const account = shares({ result, right, decisions, by_table });
  const parts = [account.decisions, account.byTable, account.luck];
  const sum = parts.reduce((all, { amount }) => all + amount, 0).toFixed(6);
  expect(sum).toBe((result + account.right).toFixed(6));
  expect(account.byTable.amount).toBeCloseTo(by_table, 0);
  for (const { bar } of parts) expect(bar).toBeLessThanOrEqual(1);
});

test("mistakes and inaccuracies are counted, and what they cost", () => {
  const found = summary(review.streets);
  expect(found.mistakes).toBe(review.streets.filter(({ verdict }) => verdict === "mistake").length);
  const named = review.streets.filter(({ verdict }) => verdict === "mistake" || verdict === "inaccuracy");
  expect(found.lost).toBeCloseTo(named.reduce((sum, { loss }) => sum + loss, 0));
  expect(summary([])).toEqual({ mistakes: 0, inaccuracies: 0, lost: 0 });
  // What the table laid was not his decision.
  const byTable = review.streets.map((street) => ({ ...street, automatic: true }));
  expect(summary(byTable)).toEqual(summary([]));
  expect(byTable.map(markOf)).toEqual(byTable.map(() => "forced"));
  expect(review.streets.map(markOf)).toEqual(review.streets.map(({ verdict }) => verdict));
});

test("the line goes from the left to the right and stays within its frame", () => {
  const { stops, ticks } = curve(review);
  expect(stops.map(({ x }) => x)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
  expect(stops.at(-1)).toMatchObject({ at: null, points: review.result + review.right });
  for (const place of [...stops.flatMap(({ y, bestY }) => [y, bestY]), ...ticks.map(({ y }) => y)]) {
    expect(place).toBeGreaterThanOrEqual(0);
    expect(place).toBeLessThanOrEqual(1);
  }
  expect(ticks.map(({ points }) => points)).toContain(0);
  // The best stands above one's own, where that lost something.
  for (const { best, y, bestY } of stops) if (best !== null) expect(bestY).toBeLessThan(y);
  expect(stops.some(({ best }) => best !== null)).toBe(true);
});

test("while it is judged the line ends with what is known", () => {
  const begun = { ...review, done: false, streets: review.streets.slice(0, 2) };
  expect(curve(begun).stops.map(({ x }) => x)).toEqual([0, 0.2]);
  expect(curve({ ...begun, streets: [] }).stops).toEqual([]);
});
