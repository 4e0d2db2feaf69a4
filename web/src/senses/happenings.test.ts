import { beforeEach, describe, expect, test } from "vitest";

import closedOwn from "../../dev/fixtures/closed-own.json";
import fantasy from "../../dev/fixtures/fantasy14.json";
import fantasyOthers from "../../dev/fixtures/fantasy-others.json";
import lapsed from "../../dev/fixtures/lapsed.json";
import pause from "../../dev/fixtures/pause.json";
import showdown from "../../dev/fixtures/showdown.json";
import watching from "../../dev/fixtures/showdown-watching.json";
import otherFirst from "../../dev/fixtures/street1-other.json";
import ownFirst from "../../dev/fixtures/street1-own.json";
import late from "../../dev/fixtures/street3-late.json";
import other from "../../dev/fixtures/street3-other.json";
import own from "../../dev/fixtures/street3-start.json";
import waiting from "../../dev/fixtures/waiting.json";
import type { TableView } from "../protocol";
import { happened, turnOf, Watch } from "./happenings";

const viewOf = (fixture: unknown): TableView => (fixture as { view: TableView }).view;

test.each([
  ["one's turn comes", other, own, ["turn"]],
  ["a hand begins with another's turn", waiting, otherFirst, []],
  ["a hand begins with one's own", waiting, ownFirst, ["turn"]],
  ["a turn passed while the line was cut, and another is there", ownFirst, own, ["turn"]],
  ["the hand is counted", other, showdown, ["showdown"]],
  ["so it is for who looks on", { view: { ...viewOf(watching), hand: null } }, watching, ["showdown"]],
  ["Fantasyland is won", ownFirst, pause, ["fantasy", "showdown"]],
  ["Fantasyland is won and lapses", { view: { ...viewOf(lapsed), hand: null } }, lapsed, ["showdown"]],
  ["one's Fantasyland begins, and is laid later", pause, fantasyOthers, ["fantasy"]],
  ["its turn comes", fantasyOthers, fantasy, ["turn"]],
  ["it begins with one's turn", waiting, closedOwn, ["fantasy", "turn"]],
])("%s", (_, before, now, expected) => {
  expect(happened(viewOf(before), viewOf(now))).toEqual(expected);
});

describe("whoever watches", () => {
  let told: string[];
  let watch: Watch;
  beforeEach(() => {
    told = [];
    watch = new Watch({
      tell: (happening) => told.push(happening),
      call: (view) => told.push(`call ${turnOf(view) ?? ""}`),
      hush: () => told.push("hush"),
    });
  });
  const heard = (): string[] => told.filter((what) => what !== "hush");

  test("is told nothing of what was there when the page was opened, or opened anew", () => {
    watch.show(viewOf(own), false);
    watch.show(viewOf(own), false);
    expect(heard()).toEqual([]);
  });
  test("is told each turn once, whatever else changes and however often the line comes back", () => {
    watch.show(viewOf(other), false);
    watch.show(viewOf(own), false);
    watch.show(viewOf(late), false);
    watch.show(viewOf(own), false);
    expect(heard()).toEqual(["turn", "call 2/3"]);
  });
  test("is no longer called when the turn is over", () => {
    watch.show(viewOf(other), false);
    watch.show(viewOf(own), false);
    expect(told.at(-1)).toBe("call 2/3");
    watch.show(viewOf(other), false);
    expect(told.at(-1)).toBe("hush");
  });
  test("hears the most important thing only", () => {
    watch.show(viewOf(ownFirst), false);
    watch.show(viewOf(pause), false);
    expect(heard()).toEqual(["fantasy"]);
  });
  test("hears nothing where another window plays, and nothing late when this one takes over", () => {
    watch.show(viewOf(other), true);
    watch.show(viewOf(own), true);
    watch.show(viewOf(own), false);
    expect(heard()).toEqual([]);
  });

  describe("is hurried", () => {
    const run = (...left: (number | null)[]): void => {
      left.forEach((ms) => {
        watch.time(ms);
      });
    };
    beforeEach(() => {
      watch.show(viewOf(own), false);
    });
    test("when his time comes to fifteen seconds", () => {
      run(15_400, 15_100, 14_900, 14_600);
      expect(heard()).toEqual(["hurry"]);
    });
    test("once a turn, though his time comes back", () => {
      run(16_000, 14_000, null, 18_000, 14_000);
      expect(heard()).toEqual(["hurry"]);
    });
    test("not at once where less is left when the page is opened, or when his turn begins", () => {
      run(12_000, 11_000, null, 9_000, 8_000);
      expect(heard()).toEqual([]);
    });
  });
});
