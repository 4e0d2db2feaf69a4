// Shows any page without a room: /dev/fixtures.html?show=street3-own, or show=home (with #open for the form), home-new,
// home-quiet, device, device-gone, lesson, lost, rules or puzzle, or nothing for a list.
// A table is shown with hints wanted as `&hint` has it, as `&elsewhere` has it, or with fields of its view as
// `&with={"break_ms":60000}` has them; where it was sealed, with its proof, or with a wrong one by `&wrong`.
// Views come from dev/fixtures/*.json, which tests/web/make_fixtures.py writes. Only the development server serves this, and
// tests/browser/test_sizes.py.
import "../src/tokens.css";
import "../src/app.css";

import { mount, type Component } from "svelte";

import { fetchHand } from "../src/lesson/hand";
import Account from "../src/pages/Account.svelte";
import Device from "../src/pages/Device.svelte";
import Hands from "../src/pages/Hands.svelte";
import Home from "../src/pages/Home.svelte";
import Lesson from "../src/pages/Lesson.svelte";
import Lost from "../src/pages/Lost.svelte";
import Puzzle from "../src/pages/Puzzle.svelte";
import Replay from "../src/pages/Replay.svelte";
import Review from "../src/pages/Review.svelte";
import RuleBook from "../src/pages/RuleBook.svelte";
import Table from "../src/pages/Table.svelte";
import type { OpenedCards, View } from "../src/protocol";
import type { Dial } from "../src/state.svelte";
import { speech } from "../src/i18n/index.svelte";
import { route } from "../src/route.svelte";
import { hints } from "../src/senses/switches.svelte";
import { palette, theme } from "../src/theme.svelte";

const views = import.meta.glob<View>("./fixtures/*.json", { import: "default" });
// What the room answers about finished hands and accounts, which tests/web/make_answers.py writes.
const told = import.meta.glob<object>("./answers/*.json", { import: "default" });
const proofs = import.meta.glob<OpenedCards>("./proofs/*.json", { import: "default" });
const files = import.meta.glob<string>("./proofs/*.proof", { import: "default", query: "?raw" });
const params = new URLSearchParams(location.search);
const shown = params.get("show");
/** Until then the parts that are fetched ahead are there. */
const LATER = 600;

const QR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><rect width="29" height="29" fill="#fff"/>
  <path stroke="#000" d="M4 4.5h7m2 0h3m2 0h7M4 24.500h7m3 0h4m3 0h3M8 14.500h13"/></svg>`;

// The room's REST routes, as far as these pages ask.
const person = (name: string): object => ({ name, bot: false });
const bot = (name: string): object => ({ name, bot: true });
const TABLES = [
  {
    table: "dnepr-71",
    name: "Пятничный ананас",
    rules: "club",
    changes: { seats: "2-3", scoring: "2-4", foul_points: "3" },
    seats: [2, 3],
    buy_in: [50, 100],
    point_price: 1000,
    sitters: [person("Марина"), person("Борис")],
    playing: true,
    hands: 12,
  },
  {
    table: "volga-5",
    name: "Friday with the bots",
    rules: "progressive",
    changes: {},
    seats: [2, 3],
    buy_in: [100, 100],
    point_price: 0,
    sitters: [person("Zoë"), bot("Kiwi"), bot("Mango")],
    playing: false,
    hands: 0,
  },
];
const empty = shown === "home-new" || shown === "home-quiet" || shown === "device";
const answers: Record<string, unknown> = {
  "/api/me": { name: empty ? null : "Аня" },
  "/api/room": { version: "0", public_url: null },
  "/api/tables": { tables: empty ? [] : TABLES },
  "/api/devices": { link: "kXq3pTz8vWd2", seconds: 600 },
  "/api/devices/": shown === "device" ? { name: "Марина" } : { code: "no-link", args: {}, text: "" },
};
// What the coach says, and what he asks.
const coached = import.meta.glob<object>("./coach/*.json", { import: "default" });
let asked: object = {};
/** The puzzle is told as it is asked; who shows an answer has given it before. */
const puzzleShown = (answered: boolean): string =>
  answered ? (shown === "puzzle-solved" ? shown : "puzzle-answer") : shown === "puzzle-three" ? shown : "puzzle";
const fetchTruly = window.fetch.bind(window);
window.fetch = async (input, init) => {
  const path = input as string;
  if (!path.startsWith("/api/")) return fetchTruly(input);
  if (path.endsWith("/hint")) {
    const hint = shown?.startsWith("fantasy") ? "hint-fantasy" : "hint";
    return Response.json(await coached[`./coach/${hint}.json`]?.());
  }
  if (path === "/api/puzzle")
    return Response.json(await coached[`./coach/${puzzleShown(init?.method === "POST")}.json`]?.());
  if (path.endsWith("/share")) return Response.json({ link: "kXq3pTz8vWd2" });
  if (path.endsWith("/hands") && shown?.startsWith("review"))
    return Response.json(await told["./answers/hands.json"]?.());
  // At a table the hand is over, and judged.
  if (path.endsWith("/review") && !shown?.startsWith("review")) {
    const review = await coached["./coach/review.json"]?.();
    return Response.json({ ...review, number: Number(/hands\/(\d+)/.exec(path)?.[1]) });
  }
  if (path.endsWith("/proof")) {
    const file = await files["./proofs/sealed-showdown.proof"]?.();
    return new Response(params.has("wrong") ? file?.replace(/"salt":".{4}/, '"salt":"0000') : file);
  }
  if (/hands|account|shared/.test(path)) {
    return Response.json(asked, { status: "code" in asked ? 404 : 200 });
  }
  const status = shown === "device-gone" && path === "/api/devices/" ? 404 : 200;
  return Response.json(answers[path] ?? {}, { status });
};
// The pages that are shown by themselves; who is not new has been here before.
if (!empty) localStorage.setItem("ananas.met", "yes");
const SOLVED = { date: "2026-11-30", number: 12, placement: "-/5h/Ac xQd", result: "not", streak: 0 };
if (shown === "puzzle-answer") localStorage.setItem("ananas.puzzle", JSON.stringify(SOLVED));
else if (shown === "puzzle-solved") {
  const solved = { ...SOLVED, placement: "Qd/-/Ac x5h", result: "solved", streak: 5 };
  localStorage.setItem("ananas.puzzle", JSON.stringify(solved));
} else localStorage.removeItem("ananas.puzzle");
const PAGES: Record<string, Component> = {
  home: Home,
  "home-new": Home,
  "home-quiet": Home,
  device: Device,
  "device-gone": Device,
  lesson: Lesson,
  lost: Lost,
  puzzle: Puzzle,
  "puzzle-three": Puzzle,
  "puzzle-answer": Puzzle,
  "puzzle-solved": Puzzle,
  rules: RuleBook,
};

/** The pages that show such an answer, by what its name begins with, and where they are. */
const ANSWERED: Record<string, [Component, string]> = {
  hands: [Hands, "/t/dnepr-71/hands"],
  replay: [Replay, "/t/dnepr-71/hands/2"],
  shared: [Replay, "/h/kXq3pTz8vWd2"],
  account: [Account, "/t/dnepr-71/account"],
  review: [Review, "/t/dnepr-71/hands/12/review"],
  "review-shared": [Review, "/h/kXq3pTz8vWd2/review"],
};

/** A line on which nothing happens after the first views; commands are never answered. */
function still(view: View, opened: OpenedCards | null): Dial {
  const { fair, table } = view.view;
  if (opened && fair) {
    // As if it had been looked at since before the hand.
    const noted = { ...fair, before: true, bound: null, own: null };
    sessionStorage.setItem(`ananas.deals.${table}`, JSON.stringify([noted]));
    const [card] = opened.proof.cards;
    if (params.has("wrong") && card) card.salt = card.salt.replace(/^.{4}/, "0000");
  }
  return (events) => {
    setTimeout(() => {
      events.status("open");
      const elsewhere = view.elsewhere || params.has("elsewhere");
      const shown = { ...view.view, ...(JSON.parse(params.get("with") ?? "{}") as Partial<View["view"]>) };
      // What was told and said last is new to who looks at it, so that it can be seen as well.
      events.view({ ...shown, notices: [], said: [] }, elsewhere);
      if (opened) events.opened(opened.proof);
      setTimeout(() => {
        events.view(shown, elsewhere);
      }, LATER);
    });
    let asked = 0;
    return {
      ask: () => `asked-${String(++asked).padStart(8, "0")}`,
      draft: () => true,
      tell: () => true,
      reconnect: () => undefined,
      close: () => undefined,
    };
  };
}

function list(target: HTMLElement): void {
  for (const path of [...Object.keys(PAGES), ...Object.keys(told), ...Object.keys(coached), ...Object.keys(views)]) {
    const name = path.replace(/^.*\/|\.json$/g, "");
    const link = document.createElement("a");
    link.href = `?show=${name}`;
    link.textContent = name;
    target.append(link, document.createElement("br"));
  }
}

async function show(target: HTMLElement): Promise<void> {
  theme.show();
  hints.on = params.has("hint");
  palette.show();
  await speech.load();
  if (shown === null) {
    list(target);
    return;
  }
  if (shown === "lesson") await fetchHand();
  const page = PAGES[shown];
  if (page) {
    mount(page, { target });
    return;
  }
  const answered = ANSWERED[shown] ?? ANSWERED[shown.split("-")[0] ?? ""];
  const answer = told[`./answers/${shown}.json`] ?? coached[`./coach/${shown}.json`];
  if (answered && answer) {
    const here = location.href;
    asked = await answer();
    route.go(answered[1]);
    // A reload leads here again.
    history.replaceState(null, "", here);
    mount(answered[0], { target });
    return;
  }
  const load = views[`./fixtures/${shown}.json`];
  if (!load) throw new Error(`there is no fixture ${shown}`);
  // The last hand, which the table shows once more.
  asked = (await told["./answers/replay.json"]?.()) ?? asked;
  mount(Table, { target, props: { dial: still(await load(), (await proofs[`./proofs/${shown}.json`]?.()) ?? null) } });
}

// Whoever looks at a page in every language need not load it anew for each.
Object.assign(window, { speak: (locale: string) => speech.choose(locale) });

const target = document.getElementById("app");
// No await at the top: once it is built, a language is one of the files that wait for this one.
if (target) void show(target);
// The room's picture of the link is not there either.
new MutationObserver(() => {
  for (const image of document.querySelectorAll<HTMLImageElement>('img[src^="/api/"]')) {
    image.src = `data:image/svg+xml,${encodeURIComponent(QR)}`;
  }
}).observe(document, { subtree: true, childList: true });
