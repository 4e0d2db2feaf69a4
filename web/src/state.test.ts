import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import duelOther from "../dev/fixtures/duel-other.json";
import ownStart from "../dev/fixtures/street3-start.json";
import othersTurn from "../dev/fixtures/street3-other.json";
import fantasy from "../dev/fixtures/fantasy14.json";
import arriving from "../dev/fixtures/arriving.json";
import waiting from "../dev/fixtures/waiting.json";
import { placementText, put, undo, type Laying } from "./board/laying";
import type { TableView } from "./protocol";
import { Session } from "./state.svelte";
import type { Ask, LineEvents } from "./socket";

const viewOf = (fixture: unknown): TableView => (fixture as { view: TableView }).view;
/** The same view with the own draft as the room has it. */
const withDraft = (fixture: unknown, draft: string | null): TableView => {
  const view = structuredClone(viewOf(fixture));
  for (const player of view.hand?.players ?? []) if (player.seat === view.you) player.draft = draft;
  return view;
};

let events: LineEvents;
let asked: Ask[];
let drafts: string[];
let told: unknown[];
let online: boolean;

function begin(intent: "sit" | "play" | null = null): Session {
  return new Session((given) => {
    events = given;
    return {
      ask: (ask) => `command-${String(asked.push(ask))}`,
      draft: ({ placement }) => {
        if (online) drafts.push(placement);
        return online;
      },
      tell: (message) => {
        if (online) told.push(message);
        return online;
      },
      reconnect: () => undefined,
      close: () => undefined,
    };
  }, intent);
}

const tapMiddle = (laying: Laying): Laying => put(laying, laying.selected ?? "2c", "middle");
const laid = (session: Session): string => (session.laying ? placementText(session.laying) : "none");

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  drafts = [];
  told = [];
  online = true;
});
afterEach(() => {
  vi.useRealTimers();
});

describe("the street being laid", () => {
  test("is there in one's own turn only", () => {
    const session = begin();
    events.view(viewOf(othersTurn), false);
    expect(session.myTurn).toBe(false);
    events.view(viewOf(ownStart), false);
    expect(session.laying).toMatchObject({ dealt: ["Qd", "Ac", "5h"], needed: 2, selected: "Qd" });
    events.view(viewOf(othersTurn), false);
    expect(session.myTurn).toBe(false);
  });

  test("is restored from the room's draft after a reload", () => {
    const session = begin();
    events.view(withDraft(ownStart, "Qd/-/Ac x5h"), false);
    expect(laid(session)).toBe("Qd/-/Ac x5h");
  });

  test("is told to the room with every change, and not where nothing moved", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    session.lay(tapMiddle);
    session.lay(undo);
    session.lay(undo);
    expect(drafts).toEqual(["-/Qd/-", "-/-/-"]);
  });

  test("does not jump back when a view from before the last tap comes late", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    session.lay(tapMiddle);
    session.lay(tapMiddle);
    events.view(withDraft(ownStart, null), false);
    events.view(withDraft(ownStart, "-/Qd/-"), false);
    expect(laid(session)).toBe("-/QdAc/- x5h");
    events.view(withDraft(ownStart, "-/QdAc/- x5h"), false);
    expect(laid(session)).toBe("-/QdAc/- x5h");
  });

  test("follows another window of the same player", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    session.lay(tapMiddle);
    events.view(withDraft(ownStart, "-/Qd/-"), false);
    events.view(withDraft(ownStart, "Qd/-/-"), false);
    expect(laid(session)).toBe("Qd/-/-");
  });

  test("laid without a line, it is told when the line is back", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    session.lay(tapMiddle);
    events.view(withDraft(ownStart, "-/Qd/-"), false);
    online = false;
    events.status("lost");
    session.lay(tapMiddle);
    online = true;
    events.view(withDraft(ownStart, "-/Qd/-"), false);
    expect(laid(session)).toBe("-/QdAc/- x5h");
    expect(drafts).toEqual(["-/Qd/-", "-/QdAc/- x5h"]);
  });

  test("a draft lost with the line is told again", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    session.lay(tapMiddle);
    events.status("lost");
    events.view(withDraft(ownStart, "-/-/-"), false);
    expect(laid(session)).toBe("-/Qd/-");
    expect(drafts).toEqual(["-/Qd/-", "-/Qd/-"]);
  });

  test("is told again to a room that has forgotten it", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    session.lay(tapMiddle);
    events.view(withDraft(ownStart, "-/Qd/-"), false);
    events.view(withDraft(ownStart, null), false);
    expect(drafts).toEqual(["-/Qd/-", "-/Qd/-"]);
    expect(laid(session)).toBe("-/Qd/-");
  });
});

describe("the order of the cards in hand", () => {
  const kept = new Map<string, string>();
  beforeEach(() => {
    kept.clear();
    vi.stubGlobal("localStorage", {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
  });
  const shown = (session: Session): string => (session.laying?.shown ?? []).join(" ");

  test("is as they were dealt until it is chosen, and then for all streets to come", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    expect(shown(session)).toBe("Qd Ac 5h");
    session.sortOn();
    expect([shown(session), session.laying?.selected]).toEqual(["Ac Qd 5h", "Qd"]);
    expect(drafts).toEqual([]);
    events.view(viewOf(othersTurn), false);
    events.view(viewOf(ownStart), false);
    expect([shown(session), session.laying?.selected]).toEqual(["Ac Qd 5h", "Ac"]);
    const later = begin();
    events.view(viewOf(ownStart), false);
    expect(shown(later)).toBe("Ac Qd 5h");
  });
  test("goes by rank, pairs and suit, round and round", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    const orders = Array.from({ length: 4 }, () => {
      session.sortOn();
      return session.orderOf({ needed: 2 });
    });
    expect(orders).toEqual(["rank", "pairs", "suit", "rank"]);
  });
  test("is by rank from the start where a whole board is in hand", () => {
    const session = begin();
    events.view(viewOf(fantasy), false);
    expect(shown(session).slice(0, 8)).toBe("Ks Kh Jh");
    session.sortOn();
    expect(session.orderOf({ needed: 13 })).toBe("pairs");
  });
});

describe("confirming", () => {
  test("is not possible before enough cards are down, and once only", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    session.confirm();
    session.lay(tapMiddle);
    session.confirm();
    expect(asked).toEqual([]);
    session.lay(tapMiddle);
    session.confirm();
    session.confirm();
    expect(asked).toEqual([{ type: "confirm", hand: 2, street: 3, placement: "-/QdAc/- x5h" }]);
  });

  test("holds the cards until the room shows them, kept or not", () => {
    const session = begin();
    events.view(withDraft(ownStart, "-/QdAc/- x5h"), false);
    session.confirm();
    session.lay(undo);
    events.kept("command-1");
    expect([session.confirming, laid(session)]).toEqual([true, "-/QdAc/- x5h"]);
    events.view(viewOf(othersTurn), false);
    expect([session.confirming, laid(session)]).toEqual([false, "none"]);
  });

  test("refused, it gives the cards back and says why", () => {
    const session = begin();
    events.view(withDraft(ownStart, "-/QdAc/- x5h"), false);
    session.confirm();
    events.refused({ type: "refused", id: "command-1", code: "not-kept", args: {}, text: "" });
    expect([session.confirming, session.refusal?.code]).toEqual([false, "not-kept"]);
    session.lay(undo);
    expect(laid(session)).toBe("-/Qd/-");
  });
});

test("time runs here between two views, for the running clock only", () => {
  const session = begin();
  events.view(viewOf(duelOther), false);
  const left = (seat: number): [number, number] => {
    const time = session.timeOf(seat);
    return [time?.hand ?? -1, time?.bank ?? -1];
  };
  const [own, [hand, bank]] = [left(0), left(1)];
  vi.advanceTimersByTime(3_000);
  expect([left(0), left(1)]).toEqual([own, [hand - 3_000, bank]]);
  vi.advanceTimersByTime(hand + 2_000);
  expect([left(1)[0], session.timeOf(1)?.onBank]).toEqual([0, true]);
  expect(Math.abs(left(1)[1] - (bank - 5_000))).toBeLessThan(300);
  vi.advanceTimersByTime(600_000);
  expect(left(1)).toEqual([0, 0]);
  expect(session.timeOf(2)).toBe(null);
});

test("who is away pays from the bank first", () => {
  const session = begin();
  const view = structuredClone(viewOf(duelOther));
  const other = view.seats[1];
  if (other) other.connected = false;
  events.view(view, false);
  const before = session.timeOf(1);
  vi.advanceTimersByTime(5_000);
  expect(session.timeOf(1)).toMatchObject({ hand: before?.hand, bank: (before?.bank ?? 0) - 5_000, onBank: true });
});

describe("what the home page was asked for", () => {
  test("whoever opened a table sits down at it, once", () => {
    begin("sit");
    events.view(viewOf(arriving), false);
    events.view(viewOf(arriving), false);
    expect(asked).toEqual([{ type: "sit" }]);
    events.kept("command-1");
    events.view(viewOf(waiting), false);
    events.view(viewOf(arriving), false);
    expect(asked).toEqual([{ type: "sit" }]);
  });
  test("whoever came to play is ready at once", () => {
    const sealed = { ...viewOf(waiting), fair: { hand: 1, name: "t/1", root: "00", seeds: [], open_ms: null } };
    begin("play");
    events.view(viewOf(arriving), false);
    events.view(sealed, false);
    events.view(sealed, false);
    expect(asked).toEqual([{ type: "sit" }, { type: "ready", hand: 1, always: false }]);
  });
  test("a guest by link is asked first", () => {
    begin();
    events.view(viewOf(arriving), false);
    expect(asked).toEqual([]);
  });
});

describe("always ready", () => {
  const held = (on: boolean): TableView => {
    const view = structuredClone(viewOf(waiting));
    for (const sitter of view.seats) if (sitter?.seat === view.you) sitter.always_ready = on;
    return view;
  };
  test("is told when it is touched, and never says ready", () => {
    const session = begin();
    events.view(held(false), false);
    session.always = true;
    session.always = false;
    expect(asked).toEqual([
      { type: "always", on: true },
      { type: "always", on: false },
    ]);
  });
  test("shows what it was set to until the room has answered and shown it, then what the room holds", () => {
    const session = begin();
    events.view(held(false), false);
    session.always = true;
    events.view(held(false), false);
    expect(session.always).toBe(true);
    events.kept("command-1");
    expect(session.always).toBe(true);
    events.view(held(true), false);
    expect(session.always).toBe(true);
    events.view(held(false), false);
    expect(session.always).toBe(false);
  });
  test("goes back where the room refuses it", () => {
    const session = begin();
    events.view(held(false), false);
    session.always = true;
    events.refused({ type: "refused", id: "command-1", code: "sitting-out", args: {}, text: "" });
    expect(session.always).toBe(false);
  });
  test("goes with Ready as it is now", () => {
    const session = begin();
    events.view(held(false), false);
    session.always = true;
    session.ready();
    expect(asked.at(-1)).toEqual({ type: "ready", hand: 1, always: true });
  });
});

describe("a seat that is played from another window", () => {
  const elsewhere = (draft: string | null): void => {
    events.view({ ...withDraft(ownStart, draft), may: [] }, true);
  };
  test("is looked at only: nothing is laid, confirmed or told", () => {
    const session = begin();
    elsewhere("-/QdAc/- x5h");
    session.lay(undo);
    session.confirm();
    expect([session.elsewhere, session.myTurn, session.held]).toEqual([true, false, true]);
    expect([laid(session), asked, drafts]).toEqual(["-/QdAc/- x5h", [], []]);
  });
  test("shows what is laid there, and owes the room nothing of its own", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    online = false;
    session.lay(tapMiddle);
    online = true;
    elsewhere("Qd/-/-");
    expect(laid(session)).toBe("Qd/-/-");
    elsewhere(null);
    expect([laid(session), drafts]).toEqual(["-/-/-", []]);
  });
  test("is taken over, asked once, and goes on as it lay there", () => {
    const session = begin();
    elsewhere("Qd/-/-");
    session.takeOver();
    expect([told, session.takingOver]).toEqual([[{ type: "take-over" }], true]);
    events.view(withDraft(ownStart, "Qd/-/-"), false);
    expect([session.takingOver, session.myTurn]).toEqual([false, true]);
    session.lay(tapMiddle);
    expect(drafts).toEqual(["Qd/Ac/- x5h"]);
  });
  test("without a line it cannot be asked for", () => {
    const session = begin();
    elsewhere(null);
    online = false;
    session.takeOver();
    expect(session.takingOver).toBe(false);
  });
  test("what was sent before one knew of it needs no telling", () => {
    const session = begin();
    elsewhere(null);
    events.refused({ type: "refused", id: null, code: "elsewhere", args: {}, text: "" });
    expect(session.refusal).toBe(null);
  });
});

describe("a break", () => {
  const onBreak = (fixture: unknown, ms: number | null): TableView => ({ ...viewOf(fixture), break_ms: ms });
  test("nothing is laid, and nothing told; what was laid without a line is told after it", () => {
    const session = begin();
    events.view(viewOf(ownStart), false);
    online = false;
    session.lay(tapMiddle);
    online = true;
    events.view(onBreak(ownStart, 60_000), false);
    session.lay(tapMiddle);
    session.confirm();
    expect([session.onBreak, session.myTurn, laid(session)]).toEqual([true, false, "-/Qd/-"]);
    expect([drafts, asked]).toEqual([[], []]);
    events.view(viewOf(ownStart), false);
    expect([session.myTurn, laid(session), drafts]).toEqual([true, "-/Qd/-", ["-/Qd/-"]]);
  });
  test("all times stand but its own", () => {
    const session = begin();
    const view = { ...onBreak(waiting, 60_000), ready_ms: 20_000, showdown_ms: 5_000 };
    events.view(view, false);
    vi.advanceTimersByTime(10_000);
    expect([session.readyLeft, session.showdownLeft]).toEqual([20_000, 5_000]);
    expect(session.breakLeft).toBe(50_000);
    events.view({ ...view, break_ms: null }, false);
    vi.advanceTimersByTime(2_000);
    expect([session.readyLeft, session.breakLeft]).toEqual([18_000, null]);
  });
});

describe("a hold", () => {
  const onHold = (fixture: unknown): TableView => ({ ...viewOf(fixture), held: "lost", held_ms: 60_000 });
  test("nothing is laid, all times stand but its own, and the street goes on after it", () => {
    const session = begin();
    events.view({ ...onHold(ownStart), ready_ms: 20_000 }, false);
    session.lay(tapMiddle);
    session.confirm();
    vi.advanceTimersByTime(10_000);
    expect([session.stands, session.myTurn, laid(session), asked, drafts]).toEqual([true, false, "-/-/-", [], []]);
    expect([session.readyLeft, session.holdLeft]).toEqual([20_000, 50_000]);
    events.view(viewOf(ownStart), false);
    session.lay(tapMiddle);
    expect([session.stands, session.holdLeft, drafts]).toEqual([false, null, ["-/Qd/-"]]);
  });
});

describe("one's part in the shuffle", () => {
  const arrived = (more: Partial<TableView>): TableView => ({ ...viewOf(waiting), ...more });
  const fair = { hand: 1, name: "t/1", root: "00", seeds: [], open_ms: null };
  test("comes before one's Ready where one came to play, but is not waited for too long", () => {
    begin("play");
    events.view(arrived({ fair, may: ["ready", "commit-seed"] }), false);
    expect(asked).toEqual([]);
    events.view(arrived({ fair, may: ["ready"] }), false);
    expect(asked.map(({ type }) => type)).toEqual(["ready"]);
    begin("play");
    events.view(arrived({ fair: null, may: ["ready"] }), false);
    expect(asked).toHaveLength(1);
    vi.advanceTimersByTime(2_000);
    expect(asked).toHaveLength(2);
  });
  test("is nobody's doing, so that a refusal of it is not told", () => {
    const session = begin();
    events.view(viewOf(waiting), false);
    session.ask({ type: "commit-seed", hand: 1, commitment: "00" });
    events.refused({ type: "refused", id: "command-1", code: "no-seed", args: {}, text: "" });
    expect([session.refusal, session.isAsking("commit-seed")]).toEqual([null, false]);
    session.ready();
    events.refused({ type: "refused", id: "command-2", code: "turn-over", args: {}, text: "" });
    expect(session.refusal?.code).toBe("turn-over");
  });
  test("the proofs of one hand are kept together", () => {
    const session = begin();
    const of = (hand: string): never => ({ hand }) as never;
    for (const hand of ["t/1", "t/1", "t/2"]) events.opened(of(hand));
    expect(session.proofs.map(({ hand }) => hand)).toEqual(["t/2"]);
  });
});

test("who left after the showdown is still named in it", () => {
  const session = begin();
  events.view(viewOf(othersTurn), false);
  const left = structuredClone(viewOf(othersTurn));
  left.seats[2] = null;
  events.view(left, false);
  expect([session.nameOf(2), session.nameOf(1)]).toEqual(["Марина", "Борис"]);
});
