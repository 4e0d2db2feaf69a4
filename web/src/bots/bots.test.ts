import { beforeEach, describe, expect, test, vi } from "vitest";

import type { SeatView } from "../protocol";
import { BOTS, keepPracticeBot, nameOf, practiceBot, strength, toggled, waiting } from "./bots";

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const sitter = (name: string, bot: boolean): SeatView => ({ name, bot }) as SeatView;

test("the bots are told from the weakest to the strongest", () => {
  expect(BOTS.map(nameOf)).toEqual(["Kiwi", "Mango", "Papaya", "Ananas"]);
  expect(BOTS.map(strength)).toEqual([1, 2, 3, 4]);
});

describe("who may still be seated", () => {
  test("is every bot that has no seat; people may be called what they like", () => {
    const seats = [sitter("Mango", true), null, sitter("Kiwi", false)];
    expect(waiting({ seats })).toEqual(["kiwi", "papaya", "ananas"]);
    expect(waiting({ seats: [null, null] })).toEqual(BOTS);
  });
});

describe("choosing bots for a table", () => {
  test("adds one, and takes it away again", () => {
    expect(toggled([], "papaya", 2)).toEqual(["papaya"]);
    expect(toggled(["papaya"], "kiwi", 2)).toEqual(["papaya", "kiwi"]);
    expect(toggled(["papaya", "kiwi"], "papaya", 2)).toEqual(["kiwi"]);
  });
  test("lets the last one chosen in, where there is room for no more", () => {
    expect(toggled(["papaya"], "kiwi", 1)).toEqual(["kiwi"]);
    expect(toggled(["papaya", "kiwi"], "ananas", 2)).toEqual(["kiwi", "ananas"]);
  });
});

describe("whom one plays at once", () => {
  test("is the beginner until somebody else is chosen", () => {
    expect(practiceBot()).toBe("kiwi");
    keepPracticeBot("ananas");
    expect(practiceBot()).toBe("ananas");
  });
  test("is nobody that there is not", () => {
    localStorage.setItem("ananas.practice", "banana");
    expect(practiceBot()).toBe("kiwi");
  });
});
