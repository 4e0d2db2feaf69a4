// Shows any page without a room: /dev/fixtures.html?show=street3-own, or show=home or show=rules, or nothing for a list.
// Views come from dev/fixtures/*.json, which tests/web/make_fixtures.py writes. Only the development server serves this.
import "../src/tokens.css";
import "../src/app.css";

import { mount } from "svelte";

import Icons from "../src/Icons.svelte";
import Home from "../src/pages/Home.svelte";
import RuleBook from "../src/pages/RuleBook.svelte";
import Table from "../src/pages/Table.svelte";
import type { View } from "../src/protocol";
import type { Dial } from "../src/state.svelte";
import { speech } from "../src/i18n/index.svelte";
import { theme } from "../src/theme.svelte";

const views = import.meta.glob<View>("./fixtures/*.json", { import: "default" });
const shown = new URLSearchParams(location.search).get("show");

const QR = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29"><rect width="29" height="29" fill="#fff"/>
  <path stroke="#000" d="M4 4.5h7m2 0h3m2 0h7M4 24.500h7m3 0h4m3 0h3M8 14.500h13"/></svg>`;

// The room's REST routes, as far as these pages ask.
const answers: Record<string, unknown> = {
  "/api/me": { name: "Аня" },
  "/api/room": { version: "0", public_url: null },
};
window.fetch = (path) => Promise.resolve(new Response(JSON.stringify(answers[path as string] ?? {})));

/** A line on which nothing happens after the first view; a command is kept at once. */
function still(view: View): Dial {
  return (events) => {
    setTimeout(() => {
      events.status("open");
      events.view(view.view, view.elsewhere);
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
  for (const path of ["home", "rules", ...Object.keys(views)]) {
    const name = path.replace(/^.*\/|\.json$/g, "");
    const link = document.createElement("a");
    link.href = `?show=${name}`;
    link.textContent = name;
    target.append(link, document.createElement("br"));
  }
}

async function show(target: HTMLElement): Promise<void> {
  theme.show();
  await speech.load();
  if (shown === null) {
    list(target);
    return;
  }
  mount(Icons, { target });
  if (shown === "home" || shown === "rules") {
    mount(shown === "home" ? Home : RuleBook, { target });
    return;
  }
  const load = views[`./fixtures/${shown}.json`];
  if (!load) throw new Error(`there is no fixture ${shown}`);
  mount(Table, { target, props: { dial: still(await load()) } });
}

const target = document.getElementById("app");
if (target) await show(target);
// The room's picture of the link is not there either.
new MutationObserver(() => {
  for (const image of document.querySelectorAll<HTMLImageElement>('img[src^="/api/"]')) {
    image.src = `data:image/svg+xml,${encodeURIComponent(QR)}`;
  }
}).observe(document, { subtree: true, childList: true });
