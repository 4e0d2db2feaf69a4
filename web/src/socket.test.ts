import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

import type { AnyServerMessage, TableView } from "./protocol";
import { Line, type LineWorld } from "./socket";

/** The room's end of one socket: what came in, and a way to answer. */
class FakeSocket {
  static readonly OPEN = 1;
  static readonly CONNECTING = 0;
  static all: FakeSocket[] = [];
  static get last(): FakeSocket {
    const last = FakeSocket.all.at(-1);
    if (!last) throw new Error("nobody has called");
    return last;
  }

  readyState = FakeSocket.CONNECTING;
  sent: { type: string; id?: string }[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: ((event: { code: number }) => void) | null = null;

  constructor() {
    FakeSocket.all.push(this);
  }
  send(text: string): void {
    this.sent.push(JSON.parse(text) as { type: string; id?: string });
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }
  say(message: AnyServerMessage): void {
    this.onmessage?.({ data: JSON.stringify(message) });
  }
  break(code = 1006): void {
    this.readyState = 3;
    this.onclose?.({ code });
  }
  get commands(): (string | undefined)[] {
    return this.sent.filter(({ type }) => type !== "ping").map(({ id }) => id);
  }
}

const view = (version: number): AnyServerMessage => ({
  type: "view",
  version,
  elsewhere: false,
  view: { hands: version } as TableView,
});

let wake: () => void;
let line: Line;
let seen: { views: number[]; kept: string[]; refused: (string | null)[]; status: string[] };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("WebSocket", FakeSocket);
  FakeSocket.all = [];
  seen = { views: [], kept: [], refused: [], status: [] };
  let ids = 0;
  const world: LineWorld = {
    socket: () => new FakeSocket() as unknown as WebSocket,
    random: () => 1,
    commandId: () => `command-${String(++ids)}`,
    onWake: (call) => {
      wake = call;
      return () => undefined;
    },
  };
  line = new Line(
    "ws://room/api/tables/t/socket",
    {
      view: ({ hands }) => seen.views.push(hands),
      opened: () => undefined,
      kept: (id) => seen.kept.push(id),
      refused: ({ id }) => seen.refused.push(id),
      status: (status) => seen.status.push(status),
    },
    world,
  );
});
afterEach(() => {
  line.close();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("a view opens the line, and an older one is dropped", () => {
  FakeSocket.last.open();
  for (const version of [4, 3, 4, 5]) FakeSocket.last.say(view(version));
  expect(seen.views).toEqual([4, 4, 5]);
  expect(seen.status).toEqual(["connecting", "open", "open", "open", "open"]);
});

describe("a command is done once", () => {
  test("asked before the line is open, it goes out when it is", () => {
    const id = line.ask({ type: "sit" });
    expect(FakeSocket.last.commands).toEqual([]);
    FakeSocket.last.open();
    expect(FakeSocket.last.sent).toEqual([{ type: "sit", id }]);
  });

  test("unanswered, it is sent again under the same id, in order, until it is kept", () => {
    FakeSocket.last.open();
    const first = line.ask({ type: "sit" });
    const second = line.ask({ type: "ready", hand: 1, always: false });
    FakeSocket.last.say({ type: "kept", id: first, version: 1 });
    FakeSocket.last.break();
    const third = line.ask({ type: "leave" });
    vi.advanceTimersByTime(250);
    FakeSocket.last.open();
    expect(FakeSocket.last.commands).toEqual([second, third]);
    FakeSocket.last.say({ type: "kept", id: second, version: 2 });
    FakeSocket.last.say({ type: "kept", id: third, version: 3 });
    FakeSocket.last.break();
    vi.advanceTimersByTime(500);
    FakeSocket.last.open();
    expect(FakeSocket.last.commands).toEqual([]);
    expect(seen.kept).toEqual([first, second, third]);
  });

  test("kept twice is told once", () => {
    FakeSocket.last.open();
    const id = line.ask({ type: "sit" });
    FakeSocket.last.say({ type: "kept", id, version: 1 });
    FakeSocket.last.say({ type: "kept", id, version: 1 });
    expect(seen.kept).toEqual([id]);
  });

  test("refused, it is not sent again", () => {
    FakeSocket.last.open();
    const id = line.ask({ type: "sit" });
    FakeSocket.last.say({ type: "refused", id, code: "table-full", args: { seats: 2 }, text: "" });
    FakeSocket.last.break();
    vi.advanceTimersByTime(250);
    FakeSocket.last.open();
    expect(FakeSocket.last.commands).toEqual([]);
    expect(seen.refused).toEqual([id]);
  });
});

test("a draft is not kept for later", () => {
  expect(line.draft({ hand: 1, street: 1, placement: "-/-/-" })).toBe(false);
  FakeSocket.last.open();
  expect(FakeSocket.last.commands).toEqual([]);
  expect(line.draft({ hand: 1, street: 1, placement: "-/-/-" })).toBe(true);
  expect(FakeSocket.last.sent).toHaveLength(1);
});

describe("the line comes back by itself", () => {
  test("later and later, up to five seconds, and at once again after a view", () => {
    const waits: number[] = [];
    for (let call = 0; call < 7; call++) {
      FakeSocket.last.break();
      const calls = FakeSocket.all.length;
      let waited = 0;
      while (FakeSocket.all.length === calls) {
        vi.advanceTimersByTime(50);
        waited += 50;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([250, 500, 1000, 1000, 1000, 1000, 1000]);
    FakeSocket.last.open();
    FakeSocket.last.say(view(1));
    FakeSocket.last.break();
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all).toHaveLength(9);
  });

  test("a room that restarts is called within six seconds, and at once again as usual when it is back", () => {
    FakeSocket.last.open();
    FakeSocket.last.break(1012);
    vi.advanceTimersByTime(5_900);
    expect(FakeSocket.all).toHaveLength(1);
    vi.advanceTimersByTime(200);
    expect(FakeSocket.all).toHaveLength(2);
    FakeSocket.last.break();
    vi.advanceTimersByTime(3_600);
    expect(FakeSocket.all).toHaveLength(3);
    FakeSocket.last.open();
    FakeSocket.last.say(view(1));
    FakeSocket.last.break();
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all).toHaveLength(4);
  });

  test("the first view of a new call counts, whatever came before", () => {
    FakeSocket.last.open();
    FakeSocket.last.say(view(9));
    FakeSocket.last.break();
    vi.advanceTimersByTime(250);
    FakeSocket.last.open();
    FakeSocket.last.say(view(8));
    expect(seen.views).toEqual([9, 8]);
  });

  test("what a lost socket still says is not heard", () => {
    const old = FakeSocket.last;
    old.open();
    old.break();
    vi.advanceTimersByTime(250);
    old.say(view(1));
    old.break();
    expect(seen.views).toEqual([]);
    expect(FakeSocket.all).toHaveLength(2);
  });

  test("at once when the network or the page comes back", () => {
    FakeSocket.last.open();
    for (let call = 0; call < 5; call++) {
      FakeSocket.last.break();
      vi.advanceTimersByTime(5000);
    }
    FakeSocket.last.break();
    const calls = FakeSocket.all.length;
    wake();
    expect(FakeSocket.all).toHaveLength(calls + 1);
  });

  test("a wake does not disturb a line that is well, nor a call just made", () => {
    wake();
    expect(FakeSocket.all).toHaveLength(1);
    FakeSocket.last.open();
    wake();
    expect(FakeSocket.all).toHaveLength(1);
    expect(FakeSocket.last.sent).toEqual([{ type: "ping" }]);
  });

  test("never, where there is no such table", () => {
    FakeSocket.last.break(4404);
    vi.advanceTimersByTime(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    expect(seen.status.at(-1)).toBe("gone");
  });
});

describe("the heartbeat", () => {
  test("a probe goes back at once", () => {
    FakeSocket.last.open();
    FakeSocket.last.say({ type: "pong", probe: 41 });
    expect(FakeSocket.last.sent).toEqual([{ type: "echo", probe: 41 }]);
  });
  test("a ping every five seconds", () => {
    FakeSocket.last.open();
    for (let second = 0; second < 20; second++) {
      vi.advanceTimersByTime(1000);
      FakeSocket.last.say({ type: "pong", probe: 7 });
    }
    const pings = FakeSocket.last.sent.filter((sent) => (sent as { type: string }).type !== "echo");
    expect(pings).toEqual(Array.from({ length: 4 }, () => ({ type: "ping" })));
    expect(seen.status).not.toContain("lost");
  });

  test("eight seconds of silence are a lost line, though the socket seems open", () => {
    FakeSocket.last.open();
    vi.advanceTimersByTime(7_900);
    expect(seen.status).not.toContain("lost");
    vi.advanceTimersByTime(200);
    expect(seen.status).toContain("lost");
    vi.advanceTimersByTime(250);
    expect(FakeSocket.all).toHaveLength(2);
  });
});
