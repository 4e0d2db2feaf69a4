import { describe, expect, test } from "vitest";

import showdown from "../../dev/fixtures/showdown.json";
import ownStreet1 from "../../dev/fixtures/street1-own.json";
import othersStreet1 from "../../dev/fixtures/street1-other.json";
import ownStreet3 from "../../dev/fixtures/street3-start.json";
import othersStreet3 from "../../dev/fixtures/street3-other.json";
import waiting from "../../dev/fixtures/waiting.json";
import waitingReady from "../../dev/fixtures/waiting-ready.json";
import watching from "../../dev/fixtures/showdown-watching.json";
import absent from "../../dev/fixtures/absent.json";
import bust from "../../dev/fixtures/bust.json";
import closedDone from "../../dev/fixtures/closed-done.json";
import closedOwn from "../../dev/fixtures/closed-own.json";
import closedShowdown from "../../dev/fixtures/closed-showdown.json";
import fantasy from "../../dev/fixtures/fantasy14.json";
import fantasyOthers from "../../dev/fixtures/fantasy-others.json";
import lapsed from "../../dev/fixtures/lapsed.json";
import over from "../../dev/fixtures/match-over.json";
import pause from "../../dev/fixtures/pause.json";
import stays from "../../dev/fixtures/pause-stays.json";
import { CHOICES, FIELDS, SETS } from "../house/values";
import { apart as english } from "../languages/apart/en-apart";
import { apart as russian } from "../languages/apart/ru-apart";
import { messages as en } from "../languages/en";
import { messages as ru } from "../languages/ru";
import type { Notice, TableView } from "../protocol";
import { lasts, news, overtakes, passed, ruleSaid, told } from "./announce";

const said = (before: unknown, now: unknown): string => {
  const [old, view] = [before, now].map((fixture) => (fixture as { view: TableView } | null)?.view ?? null);
  if (!view) throw new Error("there is always a view now");
  return news(old ?? null, view, (seat) => view.seats[seat]?.name ?? "", en);
};

test.each([
  ["somebody sits down", waiting, waitingReady, "Борис is at the table"],
  ["a hand begins", waiting, othersStreet1, "Марина is at the table. Hand 2 has begun"],
  [
    "a rival has laid, and it is one's turn",
    othersStreet1,
    ownStreet1,
    "Марина: king of hearts, 10 of clubs, 10 of spades, ace of diamonds, ace of hearts. " +
      "Your turn, street 1. Your cards: queen of spades, 8 of hearts, king of clubs, jack of clubs, 9 of clubs",
  ],
  [
    "the page is opened in one's turn",
    null,
    ownStreet3,
    "Hand 2 has begun. Your turn, street 3. Your cards: queen of diamonds, ace of clubs, 5 of hearts",
  ],
  ["one's own move needs no telling", ownStreet3, othersStreet3, ""],
  ["nothing new", ownStreet3, ownStreet3, ""],
  ["the page is opened after the hand", null, showdown, ""],
])("%s", (_, before, now, expected) => {
  expect(said(before, now)).toBe(expected);
});

test("the result is told once, to players with their points", () => {
  expect(said(othersStreet3, showdown)).toMatch(/Hand 2 is over\. Your result: \+11$/);
  expect(said(showdown, showdown)).toBe("");
  expect(said(othersStreet3, watching)).toMatch(/Hand 2 is over$/);
});

/** The same view as if the hand had not been counted yet. */
function uncounted(fixture: unknown): { view: TableView } {
  const found = structuredClone(fixture) as { view: TableView };
  const { hand, match } = found.view;
  if (hand) hand.reckoning = null;
  if (match) match.over = false;
  return found;
}

describe("Fantasyland", () => {
  test("one's own is told with its cards, when its turn has come", () => {
    expect(said(fantasyOthers, fantasy)).toMatch(
      /Your Fantasyland: 14 cards, lay 13\. Your cards: king of hearts, 10 of/,
    );
  });
  test("where all lay at once, that is said, and of the others only that they have laid", () => {
    expect(said(null, closedOwn)).toMatch(
      /^Hand 3 has begun\. All lay at once, cards open at the showdown\. Your Fanta/,
    );
    expect(said(closedOwn, closedDone)).toBe("Марина: all laid");
    expect(said(closedDone, closedShowdown)).not.toMatch(/of spades/);
  });
  test("who gets it and who stays is told with the result", () => {
    expect(said(uncounted(pause), pause)).toMatch(/Your result: \+25\. Fantasyland for you, 14 cards$/);
    expect(said(uncounted(stays), stays)).toMatch(/You stay in Fantasyland, 14 cards\. Марина: no chips left$/);
  });
  test("a right that lapses, and the result of a match of several hands", () => {
    expect(said(pause, lapsed)).toBe("Fantasyland was given up: the match is over");
    expect(said(uncounted(over), over)).toMatch(/The match is over\. Your result of the match: \+65$/);
  });
});

test("chips that are gone and back, and time that is spent in absence", () => {
  expect(said(uncounted(bust), bust)).toMatch(/Борис: no chips left/);
  const brought = structuredClone(bust) as unknown as { view: TableView };
  for (const sitter of brought.view.seats) if (sitter) sitter.broke = false;
  expect(said(bust, brought)).toBe("Борис has chips again");
  const present = structuredClone(absent) as unknown as { view: TableView };
  for (const sitter of present.view.seats) if (sitter) sitter.absent = false;
  expect(said(present, absent)).toBe("Борис: time is spent, the table lays his cards");
});

describe("time that runs out", () => {
  const at = (ms: number, onBank = false): { ms: number; onBank: boolean } => ({ ms, onBank });
  test.each([
    ["thirty seconds are passed", at(30_200), at(29_900), 30],
    ["ten seconds are passed", at(10_100), at(9_800), 10],
    ["both at once, as after a sleep", at(40_000), at(4_000), 10],
    ["the bank begins to run", at(90_000), at(89_800, true), "bank"],
    ["nothing is passed", at(25_000, true), at(24_800, true), null],
    ["a table that never had so many", null, at(20_000), null],
    ["time that has come back", at(8_000), at(40_000), null],
  ] as const)("%s", (_, before, now, told) => {
    expect(passed(before, now)).toBe(told);
  });
});

const money = (amount: number): string => `₽${String(amount / 100)}`;

describe("rules that are others now", () => {
  const of = (...changes: [string, string, string][]): Notice => ({
    number: 1,
    what: "rules-changed",
    name: null,
    changes: changes.map(([rule, old, now]) => ({ rule, old, new: now })),
  });

  test("are told with what they were and what they are", () => {
    expect(told(of(["foul_points", "6", "3"]), null, en, english.house, money)).toBe(
      "New rules. A dead hand pays: 6 points to each → 3 points to each",
    );
    expect(told(of(["point_price", "0", "250"]), null, en, english.house, money)).toContain(`${en.sit.free} → ₽2.5`);
  });

  test("are told as far as they can be read, and how many there are beside", () => {
    const many = told(
      of(["base", "room", "club"], ["seats", "2-3", "2-4"], ["scoring", "1-6", "2-4"]),
      null,
      en,
      english.house,
      money,
    );
    expect(many).toContain("Room → Club");
    expect(many).toContain("and 1 more");
    expect(many).not.toContain(english.house.labels.scoring);
  });

  test.each([
    [en, english.house],
    [ru, russian.house],
  ])("all have a name and values in words, not those of the program", (t, house) => {
    for (const rule of FIELDS) {
      const [one, other] = rule in CHOICES ? CHOICES[rule as keyof typeof CHOICES] : [SETS.room[rule], SETS.club[rule]];
      const said = ruleSaid({ rule, old: one ?? "", new: other ?? "" }, t, house, money);
      expect(said.startsWith(`${house.labels[rule]}: `)).toBe(true);
      expect(said).not.toMatch(/undefined|_|on-|-quads|-trips/);
    }
  });

  test("are told of in general where their words are not here", () => {
    expect(told(of(["seats", "2-3", "2-4"]), null, en, null, money)).toBe(en.notices["rules-changed"]);
  });

  test("each is told, and longer the more it is; one does not take another's place", () => {
    const [one, other] = [of(["seats", "2-3", "2-4"]), { ...of(["scoring", "1-6", "2-4"]), number: 2 }];
    expect(overtakes(other, one)).toBe(false);
    expect(lasts(one)).toBeGreaterThan(lasts({ ...one, changes: [] }));
  });
});

test("notices say whom they are about, and the new host that he is it", () => {
  const say = (what: Notice["what"], name: string | null, own: string | null = "Аня"): string =>
    told({ number: 1, what, name, changes: [] }, own, en, english.house, money);
  expect(say("break", null)).toBe("The host has stopped the game");
  expect(say("removed", "Борис")).toBe("The host has freed the seat of Борис");
  expect(say("host", "Борис")).toBe("Борис is the host now");
  expect(say("host", "Аня")).toBe("You are the host now");
  expect(say("host", "Аня", null)).toBe("Аня is the host now");
});

test.each([
  ["break-over", null, "break", null, true],
  ["break", null, "break-over", null, true],
  ["private", null, "public", null, true],
  ["host", "Zoë", "host", "Ann", true],
  ["bot-removed", "Kiwi", "bot-seated", "Kiwi", true],
  ["bot-removed", "Kiwi", "bot-seated", "Mango", false],
  ["removed", "Zoë", "removed", "Ann", false],
  ["rules-changed", null, "break", null, false],
  ["hold-over", null, "held", null, true],
  ["voided-outage", null, "held", null, true],
  ["stalled", null, "voided-fault", null, false],
  ["host", "Zoë", "removed", "Zoë", false],
] as const)("%s (%s) after %s (%s) takes its place: %s", (what, name, before, whose, expected) => {
  const changes: Notice["changes"] = [];
  expect(overtakes({ number: 2, what, name, changes }, { number: 1, what: before, name: whose, changes })).toBe(
    expected,
  );
});
