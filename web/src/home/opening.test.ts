import { beforeEach, describe, expect, test, vi } from "vitest";

import { keepOpening, lastOpening, type Opening } from "./opening";

vi.hoisted(() => {
  vi.stubGlobal("navigator", { languages: ["en"] });
});
beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const FIRST = { rules: { base: "room", own: {} }, bots: [], title: "", public: false };

describe("how a table was opened last", () => {
  test("is as in the beginning where nothing was opened", () => {
    expect(lastOpening()).toEqual(FIRST);
  });
  test("is remembered", () => {
    const opening: Opening = {
      rules: { base: "club", own: { foul_points: "3", point_price: "0" } },
      bots: ["ananas", "mango"],
      title: "Пятница",
      public: true,
    };
    keepOpening(opening);
    expect(lastOpening()).toEqual(opening);
  });
  test.each(["", "{", "7", "null", "[]", '{"rules":"x","bots":"2","title":1,"public":"yes"}'])(
    "is as in the beginning where %s was written",
    (text) => {
      localStorage.setItem("ananas.opening", text);
      expect(lastOpening()).toEqual(FIRST);
    },
  );
  test("is held within what the form can say", () => {
    localStorage.setItem(
      "ananas.opening",
      JSON.stringify({ bots: ["kiwi", "nobody", "kiwi", "mango", "papaya", "ananas"], title: "а".repeat(60) }),
    );
    expect([lastOpening().bots, lastOpening().title.length]).toEqual([["kiwi", "mango", "papaya"], 40]);
  });
  test.each([
    [0, []],
    [1, ["papaya"]],
    [2, ["papaya", "mango"]],
    [3, ["papaya", "mango", "kiwi"]],
    [99, ["papaya", "mango", "kiwi"]],
    [-1, []],
    [0.5, []],
  ])("has bots where %s of them were counted", (written, bots) => {
    localStorage.setItem("ananas.opening", JSON.stringify({ bots: written }));
    expect(lastOpening().bots).toEqual(bots);
  });
});
