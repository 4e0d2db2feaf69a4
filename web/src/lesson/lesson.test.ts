import { describe, expect, test, vi } from "vitest";

import { EMPTY, parsePlacement, printPlacement } from "../board/cards";
import { begin, boardOf, isComplete, placementText, put, select, take, thrown, type Laying } from "../board/laying";
import { messages as en } from "../languages/en";
import { messages as ru } from "../languages/ru";
import type { Board, Card, TableView } from "../protocol";
import { compare, fouled, ROWS, worth, type Row } from "../rules/rows";
import type { LineEvents } from "../socket";
import { advise } from "./advice";
import { lessonLine, tableAfter } from "./course";
import { DEALT, fetchHand, placed, RULES, SHOWN, VIEWS } from "./hand";
import written from "./lines.json";
import { plan } from "./plan";
import { points } from "./showdown";

// Without a room, the hand is in its own address.
vi.mock("./hand.json?url", async () => {
  const { default: hand } = await import("./hand.json?raw");
  return { default: `data:application/json,${encodeURIComponent(hand)}` };
});
await fetchHand();
const lines = written as unknown as { placements: string[]; view: TableView }[];

const street = (base: Board, number: number): Laying =>
  begin(base, DEALT[number - 1] ?? [], number === 1 ? 5 : 2, null);
/** Lay these cards on these rows, one after the other: "9h bottom, Qs top". */
const laid = (laying: Laying, text: string): Laying =>
  text
    .split(", ")
    .map((step) => step.split(" ") as [Card, Row])
    .reduce((now, [card, row]) => put(select(now, card), card, row), laying);
/** The board as it is shown how to lay it, so many streets of it, and what is thrown away by then. */
const shown = (streets: number): Board => SHOWN.slice(0, streets).reduce<Board>(placed, EMPTY);
const gone = (streets: number): Card[] => SHOWN.slice(0, streets).flatMap(({ discards }) => discards);

describe("the table in the lesson", () => {
  test("is as it is written down where the learner does as he is shown", () => {
    for (const [moves, view] of VIEWS.entries()) {
      expect(tableAfter(moves, SHOWN.slice(0, Math.ceil(moves / 2)))).toEqual(view);
    }
  });

  test.each(lines)("is what the room's rules make of $placements", ({ placements, view }) => {
    expect(tableAfter(VIEWS.length - 1, placements.map(parsePlacement))).toEqual(view);
  });

  test("has no clock, and offers nothing but to lay", () => {
    for (const view of VIEWS) {
      expect(view.seats.map((seat) => seat?.clock)).toEqual([null, null]);
      expect(view.may.filter((action) => action !== "confirm" && action !== "draft")).toEqual([]);
      expect(view.showdown_ms).toBeNull();
    }
    expect([RULES.base, RULES.deal, RULES.place]).toEqual(["room", [5, 3, 3, 3, 3], [5, 2, 2, 2, 2]]);
  });

  test("answers a street once, and then lets the bot play", () => {
    vi.useFakeTimers();
    const views: TableView[] = [];
    const kept: string[] = [];
    const events: LineEvents = {
      view: (view) => views.push(view),
      opened: () => expect.unreachable(),
      kept: (id) => kept.push(id),
      refused: () => expect.unreachable(),
      status: (status) => {
        expect(status).toBe("open");
      },
    };
    const line = lessonLine(ru)(events);
    vi.runAllTimers();
    const [placement] = SHOWN;
    if (!placement) return;
    const confirm = { type: "confirm", hand: 1, street: 1, placement: printPlacement(placement) } as const;
    line.ask(confirm);
    line.ask(confirm);
    line.ask({ type: "leave" });
    vi.runAllTimers();
    expect(kept).toEqual(["lesson-1"]);
    expect(views.map(({ hand }) => hand?.players.map(({ acting }) => acting))).toEqual([
      [true, false],
      [false, true],
      [true, false],
    ]);
    expect(views[0]?.seats.map((seat) => seat?.name)).toEqual(["Kiwi", "Вы"]);
    line.ask({ ...confirm, street: 2, placement: printPlacement(SHOWN[1] ?? placement) });
    line.close();
    vi.runAllTimers();
    expect(views).toHaveLength(3);
    vi.useRealTimers();
  });
});

describe("whatever is allowed", () => {
  /** Some way through the lesson, at every step as `choose` says among what is allowed. */
  function walk(choose: (count: number) => number): Board {
    let base: Board = EMPTY;
    let away: Card[] = [];
    for (const number of DEALT.keys()) {
      let laying = street(base, number + 1);
      while (!isComplete(laying)) {
        const now = laying;
        const ways = laying.dealt
          .filter((card) => now.down.every((down) => down.card !== card))
          .flatMap((card) => ROWS.map((row) => put(select(now, card), card, row)))
          .filter((next) => next.down.length > now.down.length);
        const from = choose(ways.length);
        const next = [...ways.slice(from), ...ways.slice(0, from)].find(
          (way) => typeof plan(way, away, number + 1) !== "string",
        );
        if (!next) throw new Error(`nothing is allowed after ${placementText(laying)}`);
        laying = next;
      }
      [base, away] = [boardOf(laying), [...away, ...thrown(laying)]];
    }
    return base;
  }
  const random = (seed: number) => (count: number) => {
    seed = (seed * 1103515245 + 12345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * count);
  };

  test("leads to queens on top of a living board that beats the bot's in every row", () => {
    const bot = VIEWS.at(-1)?.hand?.players.find(({ seat }) => seat !== VIEWS[0].you)?.board ?? EMPTY;
    const boards = new Set<string>();
    for (let seed = 1; seed <= 16; seed++) {
      const board = walk(random(seed * 7919));
      boards.add(printPlacement({ ...board, discards: [] }));
      expect(fouled(board, RULES)).toBe(false);
      expect(worth("top", board.top)).toMatchObject({ category: "pair", ranks: [12, expect.anything()] as unknown });
      for (const row of ROWS) expect(compare(worth(row, board[row]), worth(row, bot[row]))).toBeGreaterThan(0);
    }
    expect(boards.size).toBeGreaterThan(10);
  });
});

describe.each([
  ["ru", ru],
  ["en", en],
])("the coach says in %s", (_, t) => {
  const says = (laying: Laying, streets: number): string => advise(laying, gone(streets), streets + 1, t).text;
  const first = street(EMPTY, 1);

  test("what to do, card by card", () => {
    expect(says(first, 0)).toBe(t.lesson.order);
    expect(says(laid(first, "9h bottom"), 0)).toBe(t.lesson.same(t.card("9d")));
    expect(says(laid(first, "9h bottom, 9d bottom"), 0)).toBe(t.lesson.queen);
    const done = laid(first, "9h bottom, 9d bottom, Qs top, Kh middle, 4c middle");
    expect(says(done, 0)).toBe(t.lesson.ready);
    expect(advise(done, [], 1, t).at).toBe("[data-testid=confirm]");
    expect(says(street(shown(1), 2), 1)).toBe(t.lesson.three);
    expect(says(laid(street(shown(1), 2), "9c bottom, 7s middle"), 1)).toBe(t.lesson.firstDiscard);
  });

  test("which card to choose, then why", () => {
    const third = street(shown(2), 3);
    expect(advise(third, gone(2), 3, t)).toEqual({
      text: t.lesson.anotherQueen,
      at: '[data-tray] [data-card="Qd"]',
      wrong: false,
    });
    expect(advise(select(third, "Qd"), gone(2), 3, t)).toEqual({
      text: t.lesson.queens,
      at: 'section.own [data-row="top"]',
      wrong: false,
    });
  });

  test("that what was laid otherwise may lie so, and which card is next", () => {
    const next = says(laid(first, "9h top"), 0);
    expect(next.startsWith(t.lesson.otherwise(""))).toBe(true);
    const strays = DEALT[0]?.flatMap((card) => ROWS.map((row) => laid(first, `${card} ${row}`))) ?? [];
    for (const laying of strays) {
      const advice = advise(laying, [], 1, t);
      const told = SHOWN[0]?.[laying.down[0]?.row ?? "top"].includes(laying.down[0]?.card ?? "Qs");
      // Whoever strays hears of it, either way.
      if (!told) expect(advice.wrong || advice.text.startsWith(t.lesson.otherwise(""))).toBe(true);
    }
  });

  test("that a hand would die, and what saves it", () => {
    const fourth = street(shown(3), 4);
    expect(says(fourth, 3)).toBe(t.lesson.saves("middle", "top", 13));
    expect(says(laid(fourth, "Kd middle, 5c top"), 3)).toBe(t.lesson.saved);
    const last = street(shown(4), 5);
    expect(says(select(last, "4s"), 4)).toBe(t.lesson.makes("bottom", { category: "full-house", ranks: [9, 4] }));
  });

  test.each([
    ["queen", "Qs bottom", 0],
    ["room", "9h top, 4c top", 0],
    ["order", "9h middle, 9d middle, Kh bottom, 4c bottom", 0],
    ["weak", "9h middle, 9d middle, Kh middle, 4c middle", 0],
    ["queen", "3h middle, 7c middle", 2],
    ["dead", "5c middle, Jh top", 3],
    ["dead", "5c middle", 3],
  ] as const)("%s: of %s", (fault, text, streets) => {
    const laying = laid(street(shown(streets), streets + 1), text);
    expect(advise(laying, gone(streets), streets + 1, t)).toEqual({
      text: t.lesson.wrong[fault],
      at: ".actions .square:first-child",
      wrong: true,
    });
  });

  test("nothing more of it once the card is taken back", () => {
    expect(advise(take(laid(first, "Qs bottom"), "Qs"), [], 1, t).wrong).toBe(false);
  });

  test("what the points are for", () => {
    const hand = VIEWS.at(-1)?.hand;
    if (!hand) throw new Error("the lesson has no showdown");
    const told = points(hand, t).map(({ text }) => text);
    expect(told).toHaveLength(5);
    expect(told.join()).not.toMatch(/undefined|NaN/);
    expect(told[1]).toContain(t.points(3));
    expect(told[2]).toContain("13");
    expect(told[3]).toContain(t.cards(14));
  });

  test("the buttons by their names", () => {
    expect(t.lesson.ready).toContain(t.laying.ready);
    expect(t.lesson.firstDiscard).toContain(t.laying.discard);
  });
});
