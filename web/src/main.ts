import "./tokens.css";
import "./app.css";

import { mount } from "svelte";

import App from "./App.svelte";
import { nameOf, speech } from "./i18n/index.svelte";
import "./offer";
import { route } from "./route.svelte";
import { lobby } from "./table/parts";
import { palette, theme } from "./theme.svelte";

const LETTERS_MS = 300;
const QUIET_MS = 2000;

theme.show();
palette.show();

/** The letters of the language, if they come soon: words that change their shape move what stands below them. */
async function letters(): Promise<void> {
  const late = new Promise((resolve) => setTimeout(resolve, LETTERS_MS));
  await Promise.race([document.fonts.load("16px Onest", nameOf(speech.locale)), late]).catch(() => undefined);
}

/** While the client is developed nothing stands between it and the server. */
function work(): void {
  if (import.meta.env.PROD && "serviceWorker" in navigator) {
    navigator.serviceWorker.register(`/sw.js?${new URL(import.meta.url).pathname}`).catch(() => undefined);
  }
}

// No await at the top: a language is one of the files that wait for this one.
async function start(target: HTMLElement): Promise<void> {
  // Most who come to a table come to sit down: what they see first is fetched beside the words, not after them.
  if (route.page === "table") lobby.want();
  try {
    await Promise.all([speech.load(), letters()]);
    mount(App, { target });
    // A newer worker that comes while the older one fetches the page is sometimes left waiting, by Chromium, for minutes.
    setTimeout(work, QUIET_MS);
  } catch {
    // Without any words there are these.
    const again = document.createElement("button");
    again.className = "button broken";
    again.textContent = "Попробовать ещё раз · Try again";
    again.addEventListener("click", () => {
      location.reload();
    });
    target.append(again);
  }
}

const target = document.getElementById("app");
if (target) void start(target);
