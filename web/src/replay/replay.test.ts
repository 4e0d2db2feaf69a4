import { describe, expect, test } from "vitest";

import { messages as en } from "../languages/en";
import { messages as ru } from "../languages/ru";
import type { Account, HandList, HandReplay } from "../protocol";
import { accountText, addsUp, debts, facts, signedMoney, type Writing } from "./account";
import { groupsOf } from "./groups";
import { fit, heightOf } from "./picture";
import { around, holdings, moveOf, nameOf, ownSeat, titleOf, within } from "./scene";
import { dayAndTime, dayOf, lasted, span, timeOf } from "./times";

const answers = import.meta.glob<unknown>("../../dev/answers/*.json", { eager: true, import: "default" });
const read = (name: string): unknown => answers[`../../dev/answers/${name}.json`];
const hand = (name: string): HandReplay => read(name) as HandReplay;
const account = (name: string): Account => read(name) as Account;
const NOW = new Date(2026, 6, 31, 12).getTime();
/** Spaces that keep a line together read like any other. */
const plain = (text: string): string => text.replace(/[\u00a0\u202f\u2009]/g, " ");

describe("steps have names", () => {
  const titles = (name: string, t = ru): string[] => {
    const replay = hand(name);
    return replay.steps.map((step) => titleOf(replay, step, t));
  };

  test("of the reader and of the others", () => {
    expect(titles("replay").slice(0, 5)).toEqual([
      "Карты сданы",
      "Улица 1, ходит Марина",
      "Улица 1, ваш ход",
      "Улица 1, ходит Борис",
      "Улица 2, ходит Марина",
    ]);
    expect(titles("replay").at(-1)).toBe("Вскрытие");
    expect(titles("replay", en)[2]).toBe("Street 1, your turn");
  });

  test("of Fantasyland", () => {
    expect(titles("replay-fantasy").slice(-2)).toEqual(["Ваша фантазия", "Вскрытие"]);
    expect(titles("replay-hidden").slice(-2)).toEqual(["Фантазия, Аня", "Вскрытие"]);
  });

  test("of what the table laid", () => {
    const replay = hand("replay");
    const [, , step] = replay.steps;
    if (!step) throw new Error("there is a third step");
    expect(titleOf(replay, { ...step, what: "laid-for" }, ru)).toBe("Улица 1, за вас кладёт стол");
    expect(titleOf({ ...replay, you: null }, { ...step, what: "laid-for" }, ru)).toBe("Улица 1, Аня: кладёт стол");
  });

  test("a link knows no reader, and numbers where there are no names", () => {
    expect(ownSeat(hand("shared"))).toBeNull();
    expect(titles("shared")[2]).toBe("Улица 1, ходит Аня");
    expect(titles("shared-nameless")[2]).toBe("Улица 1, ходит Игрок 1");
    expect(nameOf(hand("shared-nameless"), 2, en)).toBe("Player 3");
  });
});

test("boards stand as at the table, one's own the last", () => {
  const seats = (name: string): number[] | undefined => {
    const [first] = hand(name).steps;
    return first && around(first.hand);
  };
  expect(seats("replay")).toEqual([1, 2, 0]);
  expect(seats("replay-hidden")).toEqual([2, 0, 1]);
  expect(seats("replay-watching")).toEqual([0, 1, 2]);
});

test("who is to move holds what may be seen of it", () => {
  const { steps } = hand("replay");
  expect(
    steps.slice(0, 6).map(({ hand }) => holdings(hand).map(({ seat, cards, count }) => [seat, cards.length, count])),
  ).toEqual([[[2, 5, 5]], [[0, 5, 5]], [[1, 5, 5]], [[2, 0, 3]], [[0, 3, 3]], [[1, 0, 3]]]);
});

test("nobody's discards are told but the viewer's", () => {
  for (const [, name = ""] of Object.keys(answers).flatMap((path) => [
    ...path.matchAll(/((?:replay|shared)(?!-lost).*)\.json/g),
  ])) {
    const replay = hand(name);
    for (const step of replay.steps) {
      const thrown = step.hand.players.filter(({ discards }) => discards.length > 0).map(({ seat }) => seat);
      expect(thrown.filter((seat) => seat !== replay.you)).toEqual([]);
    }
  }
});

test("keys are known by their place", () => {
  expect(["ArrowLeft", "Home", "Space", "BracketRight", "PageUp", "KeyA"].map(moveOf)).toEqual([
    "back",
    "first",
    "play",
    "next",
    "previous",
    null,
  ]);
  expect([within(-1, 3), within(1, 3), within(7, 3)]).toEqual([0, 1, 2]);
});

test("hands are listed match by match, a day told once", () => {
  const { hands } = read("hands") as HandList;
  const groups = groupsOf(hands, "ru", NOW);
  expect(groups.flatMap((group) => group.hands)).toEqual(hands);
  expect(groups.map(({ match }) => match)).toEqual([...new Set(hands.map(({ match }) => match))]);
  const days = groups.map((group) => dayOf(group.hands[0]?.at ?? 0, "ru", NOW));
  expect(groups.flatMap(({ day }) => day ?? [])).toEqual([...new Set(days)]);
});

test("times are the reader's", () => {
  const at = new Date(2026, 6, 30, 8, 4).getTime();
  expect(timeOf(at, "ru")).toBe("08:04");
  expect(plain(timeOf(at, "en"))).toBe("8:04 AM");
  expect(dayAndTime(at, "ru", NOW)).toBe("30 июля в 08:04");
  expect(dayAndTime(at, "en-GB", new Date(2027, 1).getTime())).toContain("2026");
  expect(plain(span(at, at + 90 * 60_000, "ru", NOW))).toBe("30 июля, 08:04–09:34");
  expect([lasted(0), lasted(3_600_000), lasted(5_430_000)]).toEqual([
    [0, 1],
    [1, 0],
    [1, 31],
  ]);
});

describe("the account", () => {
  const money = (amount: number): string => `${amount < 0 ? "−" : ""}${Math.abs(amount) / 100} ₽`;
  const writing: Writing = { t: ru, locale: "ru", money, now: NOW };

  test("is text that can be sent", () => {
    const told = account("account");
    expect(plain(accountText(told, writing))).toBe(
      [
        "Расчёт за вечер: Вечерний стол",
        `${plain(span(told.began ?? 0, told.until ?? 0, "ru", NOW))}, 10 мин, 3 раздачи`,
        "",
        "Аня: +67 очков, +670 ₽",
        "Борис: −27 очков, −270 ₽",
        "Марина: −40 очков, −400 ₽",
        "",
        "Кто кому платит:",
        "Борис → Аня: 270 ₽",
        "Марина → Аня: 400 ₽",
        "",
        "Всё сходится: выигрыши и проигрыши в сумме дают ноль",
      ].join("\n"),
    );
  });

  test("tells bots and who has left, in English too", () => {
    const text = accountText(account("account-long"), { ...writing, t: en });
    expect(text).toContain("Mango (bot): +200 points, +5000 ₽");
    expect(text).toContain("Константин Ш. (not at the table any more, with people +200 ₽): −58 points");
    expect(text).toContain(en.account.bots);
  });

  test("knows points alone where a point has no price", () => {
    const played = account("account-points");
    expect(accountText(played, writing)).not.toContain("₽");
    expect(played.payments).toEqual([]);
    expect(accountText(played, writing)).toContain(ru.account.even);
    const free = { ...played, payments: [{ payer: played.players.length - 1, payee: 0, amount: 17 }] };
    const [debt] = debts(free, writing);
    expect(debt?.amount).toMatch(/^\d+ очк/);
    expect(debt && [debt.payer.points < 0, debt.payee.points > 0]).toEqual([true, true]);
  });

  test("says that it adds up only where it does", () => {
    const right = account("account");
    expect(addsUp(right)).toBe(true);
    const [first, ...others] = right.players;
    if (!first) throw new Error("somebody has played");
    const wrong = { ...right, players: [{ ...first, points: first.points + 1 }, ...others] };
    expect(addsUp(wrong)).toBe(false);
    expect(accountText(wrong, writing)).not.toContain(ru.account.zero);
  });

  test("has no time before the first hand", () => {
    expect(facts(account("account-none"), writing)).toEqual([]);
  });

  test("writes money with its sign", () => {
    expect([500, 0, -500].map((amount) => signedMoney(amount, money))).toEqual(["+5 ₽", "0 ₽", "−5 ₽"]);
  });
});

test("a picture is as high as it has lines, and cuts what has no room", () => {
  const width = (text: string): number => text.length;
  expect(heightOf(4, 3) - heightOf(3, 3)).toBe(heightOf(5, 3) - heightOf(4, 3));
  expect(heightOf(2, 0)).toBe(heightOf(2, 1));
  expect(fit("Анна", 4, width)).toBe("Анна");
  expect(fit("Анна Мария", 6, width)).toBe("Анна…");
});
