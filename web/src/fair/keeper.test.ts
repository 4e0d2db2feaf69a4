import { beforeEach, describe, expect, test, vi } from "vitest";

import mid from "../../dev/fixtures/sealed.json";
import again from "../../dev/fixtures/sealed-again.json";
import showdown from "../../dev/fixtures/sealed-showdown.json";
import afresh from "../../dev/proofs/sealed-again.json";
import later from "../../dev/proofs/sealed-showdown.json";
import first from "../../dev/proofs/sealed.json";
import type { Card, Proof, TableView } from "../protocol";
import { Keeper, type Noted, type SeedAsk, type Why } from "./keeper";
import { commitmentOf, lotOf } from "./seeds";

/** By how much the lot is another than it should be, as if the button had fallen where the room liked it. */
const lot = vi.hoisted(() => ({ off: 0 }));
vi.mock(import("./seeds"), async (original) => {
  const seeds = await original();
  return { ...seeds, lotOf: (proof) => seeds.lotOf(proof) + lot.off };
});

const viewOf = (fixture: unknown): TableView => structuredClone((fixture as { view: TableView }).view);
const proofOf = (fixture: unknown): Proof => structuredClone((fixture as { proof: Proof }).proof);
const fairOf = (view: TableView): NonNullable<TableView["fair"]> => {
  if (!view.fair) throw new Error("it is sealed");
  return view.fair;
};

/** The same table before its hand is called, as far as the keeper looks; `may`: what the viewer may do. */
function before(may: TableView["may"] = []): TableView {
  const view = viewOf(mid);
  return { ...view, hand: null, hands: 0, may, fair: { ...fairOf(view), seeds: [] } };
}

let kept: readonly Noted[];
const memory = {
  load: () => structuredClone(kept),
  save: (noted: readonly Noted[]) => {
    kept = structuredClone(noted);
  },
};
beforeEach(() => {
  kept = [];
  lot.off = 0;
});

/** What a window comes to that is shown these views and proofs, one after the other. */
function told(...shown: readonly (TableView | Proof)[]): Keeper {
  const keeper = new Keeper(memory);
  for (const one of shown) {
    if ("cards" in one) keeper.hear(one);
    else {
      keeper.look(one, false);
      keeper.standing(one);
    }
  }
  return keeper;
}
const standing = (view: TableView, ...shown: readonly (TableView | Proof)[]): ReturnType<Keeper["standing"]> =>
  told(...shown, view).standing(view);

describe("a deal that is honest", () => {
  test("is checked card by card, from before it to its end", () => {
    expect(standing(viewOf(mid), before())).toMatchObject({ verdict: "waiting", cards: 0 });
    const half = standing(viewOf(mid), before(), proofOf(first));
    expect(half).toMatchObject({ verdict: "checked", bare: 0, why: null, before: true });
    const all = standing(viewOf(showdown), before(), proofOf(first), viewOf(mid), proofOf(later));
    expect(all).toMatchObject({ verdict: "checked", bare: 0, why: null });
    expect(all?.cards).toBeGreaterThan(half?.cards ?? 52);
  });
  test("shows its seal and its name before any hand", () => {
    const { name, root } = fairOf(viewOf(mid));
    expect(standing(before())).toMatchObject({ verdict: "waiting", hand: 1, name, root, before: true, parts: null });
  });
  test("is checked again after a reload, and without what came before it", () => {
    told(before(), viewOf(mid), proofOf(first));
    expect(standing(viewOf(mid), proofOf(first))).toMatchObject({ verdict: "checked", before: true });
    kept = [];
    expect(standing(viewOf(mid), proofOf(first))).toMatchObject({ verdict: "checked", before: false });
  });
  test("proves nothing of the choice where nobody gave a seed, and nothing at all where it is not sealed", () => {
    expect(standing({ ...viewOf(mid), fair: null })).toMatchObject({ verdict: "unsealed" });
    expect(standing({ ...before(), fair: null })).toBe(null);
  });
});

/** A change of the one character of a text that stands at a place. */
const otherwise = (text: string, place: number): string =>
  text.slice(0, place) + (text[place] === "0" ? "1" : "0") + text.slice(place + 1);

describe("a fault that is planted is found:", () => {
  type Plant = (proof: Proof, view: TableView, early: TableView) => void;
  const card = (proof: Proof): Proof["cards"][number] => {
    const [found] = proof.cards;
    if (!found) throw new Error("a card is open");
    return found;
  };
  /** A card that a proof does not open. */
  const hidden = ({ cards }: Proof): Card =>
    (["2c", "2d", "2h", "2s", "3c", "3d"] as const).find((one) => !cards.some(({ card }) => card === one)) ?? "3h";
  test.each<[string, Why, Plant]>([
    ["another salt", "card", (proof) => void (card(proof).salt = otherwise(card(proof).salt, 5))],
    ["another card", "card", (proof) => void (card(proof).card = hidden(proof))],
    ["another path", "card", (proof) => void (card(proof).path[2] = otherwise(card(proof).path[2] ?? "", 9))],
    [
      "another root than was shown",
      "seal",
      (_, __, early) => void (fairOf(early).root = otherwise(fairOf(early).root, 0)),
    ],
    ["another name than was shown", "seal", (_, __, early) => void (fairOf(early).name = `x${fairOf(early).name}`)],
    ["a seal of another hand", "seal", (_, view, early) => void (fairOf(view).name = fairOf(early).name = "t/2")],
    ["a root that changes", "seal", (_, view) => void (fairOf(view).root = otherwise(fairOf(view).root, 0))],
    [
      "a seed that changes",
      "seeds",
      (_, view) => void (fairOf(view).seeds[0] = { ...seat(view, 0), seed: "0".repeat(32) }),
    ],
    ["a seed that is left out", "seeds", (proof) => void proof.seeds.pop()],
    ["a seed that was not told", "seeds", (proof) => void ((proof.seeds[1] ?? seat0).seed = null)],
    ["a seat bound after the call", "seeds", (_, view) => void fairOf(view).seeds.pop()],
    ["other seats", "seeds", (proof) => void proof.seats.reverse()],
    ["other streets", "seeds", (proof) => void (proof.deal = [5, 2, 4, 3, 3])],
    ["Fantasyland that is none", "seeds", (proof) => void (proof.fantasyland = [14, 0, 0])],
    ["another deck", "seeds", (proof) => void (proof.deck = (proof.deck + 1) % 64)],
    [
      "cards that change places",
      "moved",
      (_, view) => {
        swap(view);
      },
    ],
  ])("%s: %s", (_, why, plant) => {
    const [proof, view, early] = [proofOf(first), viewOf(mid), before()];
    plant(proof, view, early);
    expect(standing(viewOf(mid), early, viewOf(mid), view, proof, view)).toMatchObject({ verdict: "failed", why });
    // What was found once stays found, and is told with all that shows it.
    const keeper = told(early, viewOf(mid), view, proof, view);
    expect(keeper.standing(viewOf(mid))?.verdict).toBe("failed");
    const file = JSON.parse(keeper.evidence(1)) as { wrong: string; known: Noted; proofs: Proof[] };
    expect([file.wrong, file.known.root, file.proofs]).toEqual([why, fairOf(early).root, [proof]]);
  });
  const seat = (view: TableView, place: number): { seat: number; commitment: string; seed: string | null } =>
    fairOf(view).seeds[place] ?? seat0;
  const seat0 = { seat: 0, commitment: "", seed: null as string | null };
  const swap = (view: TableView): void => {
    const [one, other] = view.hand?.players ?? [];
    if (one && other) [one.board, other.board] = [other.board, one.board];
  };

  test("cards without a proof are not taken for checked", () => {
    const proof = proofOf(first);
    const gone = proof.cards.pop();
    const found = standing(viewOf(mid), before(), proof);
    expect([gone === undefined, found?.verdict, found?.bare]).toEqual([false, "waiting", 1]);
  });
  test.each([
    ["of the first hand", mid, first, 1, "failed"],
    ["of the first that counts, after one that did not", again, afresh, 1, "failed"],
    ["of a later one, whose button follows from the one before", again, afresh, 2, "checked"],
  ] as const)("a button that no lot has drawn, %s", (_, fixture, opened, hand, verdict) => {
    const view = viewOf(fixture);
    if (view.match) view.match.hand = hand;
    expect(standing(view, proofOf(opened))).toMatchObject({ verdict: "checked", why: null });
    lot.off = 1;
    const why = verdict === "failed" ? "button" : null;
    expect(standing(view, proofOf(opened))).toMatchObject({ verdict, why });
  });
  test("two proofs of one hand that differ", () => {
    const other = proofOf(later);
    other.deal = [5, 3, 3, 3];
    expect(standing(viewOf(mid), before(), proofOf(first), other)?.verdict).toBe("failed");
  });
});

describe("one's own seed", () => {
  const commits = (keeper: Keeper, view: TableView): Extract<SeedAsk, { type: "commit-seed" }> => {
    const ask = keeper.look(view, true);
    if (ask?.type !== "commit-seed") throw new Error("it is bound");
    return ask;
  };
  /** The hand is called, and the seat bound to this. */
  const called = (commitment: string): TableView => ({
    ...before(["open-seed"]),
    hands: 1,
    fair: { ...fairOf(viewOf(mid)), seeds: [{ seat: 0, commitment, seed: null }] },
  });

  test("is bound once, and told once the hand is called, over a reload too", () => {
    const keeper = new Keeper(memory);
    const ask = commits(keeper, before(["commit-seed"]));
    expect(ask.hand).toBe(1);
    expect(keeper.look(before(["commit-seed"]), true)).toBe(null);
    const again = new Keeper(memory);
    // The room may not have got it: the same seed is bound once more.
    expect(commits(again, before(["commit-seed"]))).toEqual(ask);
    const open = new Keeper(memory).look(called(ask.commitment), true);
    expect(open?.type).toBe("open-seed");
    if (open?.type !== "open-seed") return;
    expect(commitmentOf(fairOf(viewOf(mid)).name, 0, open.seed)).toBe(ask.commitment);
  });
  test("is none where another window plays, or has bound the seat", () => {
    const keeper = new Keeper(memory);
    expect(keeper.look(before(["commit-seed"]), false)).toBe(null);
    commits(keeper, before(["commit-seed"]));
    expect(keeper.look(called("0".repeat(64)), true)).toBe(null);
  });
  test("that has no part is not taken for checked", () => {
    const { hand, name, root } = fairOf(viewOf(mid));
    /** What somebody is told who has given this seed on that seat, of a hand in which seat 0 has given another. */
    const given = (own: Noted["own"]): ReturnType<Keeper["standing"]> => {
      kept = [{ hand, name, root, before: true, bound: null, own }];
      return standing(viewOf(mid), proofOf(first));
    };
    const missed = (own: Noted["own"]): void => {
      expect(given(own)).toMatchObject({ verdict: "uncounted", why: null, own: false });
    };
    const seed = proofOf(first).seeds[0]?.seed ?? "";
    expect(given({ seat: 0, seed })).toMatchObject({ verdict: "checked", own: true });
    missed({ seat: 0, seed: otherwise(seed, 0) });
    // Who is not dealt in has no part to miss.
    expect(given({ seat: 9, seed })).toMatchObject({ verdict: "checked", own: null });
    // Planted: a window that has forgotten what it gave.
    expect(() => {
      missed(null);
    }).toThrow();
  });
  test("is another on another seat", () => {
    const keeper = new Keeper(memory);
    const one = commits(keeper, before(["commit-seed"]));
    keeper.look(before(), true);
    const other = commits(keeper, { ...before(["commit-seed"]), you: 1 });
    expect(other.commitment).not.toBe(one.commitment);
  });
});

describe("the lot", () => {
  const root = "00".repeat(32);
  test.each([
    [1, 2],
    [2, 3],
    [3, 6],
  ])("of hand %i is what the room's own program draws", (hand, drawn) => {
    expect(lotOf({ hand: `t1/${hand}`, root, seeds: [] })).toBe(drawn);
  });
  test("depends on the seeds", () => {
    const seed = "0f".repeat(16);
    const seeds = [{ seat: 1, commitment: commitmentOf("t1/1", 1, seed), seed }];
    expect(lotOf({ hand: "t1/1", root, seeds })).toBe(4);
  });
});
