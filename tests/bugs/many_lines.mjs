// Many browsers' lines to one room, in time that a test turns: when each calls while the room is away, and when it is
// back. `node many_lines.mjs web/src/socket.ts '{"count": 2000, "code": 1012, "away": 2000, "plant": "", "halfOpen": false}'` prints what
// happened as JSON; times are milliseconds since the room went.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [file, asked] = process.argv.slice(2);
const { count, code, away, plant, halfOpen } = JSON.parse(asked);

let now = 0;
let numbers = 0;
// What is to happen, the earliest first: a heap, since there are thousands.
const heap = [];
const stopped = new Set();
const before = (one, other) => one.time < other.time || (one.time === other.time && one.number < other.number);
const push = (timer) => {
  let place = heap.push(timer) - 1;
  while (place > 0) {
    const above = (place - 1) >> 1;
    if (!before(timer, heap[above])) break;
    heap[place] = heap[above];
    place = above;
  }
  heap[place] = timer;
};
const pop = () => {
  const first = heap[0];
  const last = heap.pop();
  if (heap.length) {
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      if (below >= heap.length) break;
      if (below + 1 < heap.length && before(heap[below + 1], heap[below])) below++;
      if (!before(heap[below], last)) break;
      heap[place] = heap[below];
      place = below;
    }
    heap[place] = last;
  }
  return first;
};
const at = (time, call, every = null) => {
  const timer = { time, call, every, number: ++numbers };
  push(timer);
  return timer.number;
};
globalThis.setTimeout = (call, ms = 0) => at(now + ms, call);
globalThis.setInterval = (call, ms) => at(now + ms, call, ms);
globalThis.clearTimeout = globalThis.clearInterval = (number) => stopped.add(number);
Object.defineProperty(globalThis, "performance", { value: { now: () => now } });

// Chance that is the same every time.
let seed = 12345;
const random = () => {
  seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
  return plant === "no chance" ? 1 : seed / 2 ** 32;
};

let up = true;
const calls = [];
const back = new Map();
class Socket {
  static CONNECTING = 0;
  static OPEN = 1;
  readyState = 0;
  hung = false;
  constructor(who) {
    this.who = who;
    const counts = sockets[who] !== undefined;
    if (counts) calls.push(now);
    at(now + 5, () => {
      if (!up) return this.break(1006);
      this.readyState = 1;
      this.onopen?.();
      this.say({ type: "view", version: 1, view: {}, elsewhere: false });
      if (counts && !back.has(who)) back.set(who, now);
    });
  }
  say(message) {
    if (!this.hung) this.onmessage?.({ data: JSON.stringify(message) });
  }
  send(text) {
    if (JSON.parse(text).type === "ping") at(now + 5, () => this.say({ type: "pong" }));
  }
  break(why) {
    this.readyState = 3;
    this.onclose?.({ code: why });
  }
  close() {
    this.readyState = 3;
  }
}
globalThis.WebSocket = Socket;

const planted = (source) => {
  switch (plant) {
    case "gives up":
      return source.replace("this.#retry = setTimeout(", "if (this.#failures < 5) this.#retry = setTimeout(");
    case "hears no silence":
      return source.replace(/const SILENCE = [\d_]+;/, "const SILENCE = 1e12;");
    default:
      return source;
  }
};
const ts = createRequire(path.resolve(file))("typescript");
const source = readFileSync(file, "utf8");
if (plant && plant !== "no chance" && planted(source) === source) throw new Error(`nothing to plant: ${plant}`);
const { outputText } = ts.transpileModule(planted(source), { compilerOptions: { module: "esnext", target: "es2022" } });
const { Line } = await import(`data:text/javascript;base64,${Buffer.from(outputText).toString("base64")}`);

const nothing = () => undefined;
const events = { view: nothing, opened: nothing, kept: nothing, refused: nothing, status: nothing };
const sockets = [];
for (let who = 0; who < count; who++)
  new Line("", events, {
    socket: () => (sockets[who] = new Socket(who)),
    random,
    commandId: () => "",
    onWake: () => nothing,
  });

const run = (until) => {
  while (heap.length && heap[0].time <= until) {
    const timer = pop();
    if (stopped.delete(timer.number)) continue;
    now = timer.time;
    if (timer.every !== null) push({ ...timer, time: timer.time + timer.every });
    timer.call();
  }
  now = until;
};
run(1000);
now = 0;
for (const timer of heap) timer.time -= 1000;
const going = [...sockets];
if (halfOpen) for (const socket of going) socket.hung = true;
else {
  up = false;
  for (const socket of going) socket.break(code);
  run(away);
  up = true;
}
run(away + 60_000);
calls.sort((one, other) => one - other);
const slots = new Map();
for (const time of calls) slots.set(Math.floor(time / 100), (slots.get(Math.floor(time / 100)) ?? 0) + 1);
process.stdout.write(
  JSON.stringify({
    calls: calls.length,
    first: calls[0] ?? null,
    back: back.size,
    last_back: Math.max(...back.values()),
    first_back: Math.min(...back.values()),
    busiest: Math.max(...slots.values()),
    last_call: calls.at(-1) ?? null,
  }),
);
