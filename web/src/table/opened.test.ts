import { beforeEach, expect, test } from "vitest";

import { Overlay, type Past } from "./opened.svelte";

/** A history as a browser keeps it; a step back is made later, as there. */
class Pages implements Past {
  pages: unknown[] = [null];
  at = 0;
  get state(): unknown {
    return this.pages[this.at];
  }
  pushState(state: unknown): void {
    this.pages = [...this.pages.slice(0, ++this.at), state];
  }
  replaceState(state: unknown): void {
    this.pages[this.at] = state;
  }
  steps = 0;
  back(): void {
    this.steps++;
  }
  /** The browser makes the step it was asked for, or the player's own. */
  step(by: number, overlay: Overlay): void {
    this.at += by;
    overlay.moved();
  }
}

let pages: Pages;
let overlay: Overlay;
beforeEach(() => {
  pages = new Pages();
  overlay = new Overlay(pages);
});

test("the step back closes what lies over the table, and no more", () => {
  overlay.show("menu");
  expect([overlay.open, pages.at]).toEqual(["menu", 1]);
  pages.step(-1, overlay);
  expect([overlay.open, pages.at, pages.steps]).toEqual([null, 0, 0]);
});

test("closed otherwise, it leaves nothing in the history", () => {
  overlay.show("menu");
  overlay.show(null);
  overlay.show(null);
  expect([overlay.open, pages.steps]).toEqual([null, 1]);
  pages.step(-1, overlay);
  expect(pages.at).toBe(0);
});

test("one after the other takes one page together", () => {
  overlay.show("menu");
  overlay.show("leave");
  expect([overlay.open, pages.pages]).toEqual(["leave", [null, { over: "leave" }]]);
});

test("what is opened while another closes waits for that", () => {
  overlay.show("menu");
  overlay.show(null);
  overlay.show("last");
  expect(overlay.open).toBe(null);
  pages.step(-1, overlay);
  expect([overlay.open, pages.pages]).toEqual(["last", [null, { over: "last" }]]);
});

test("forward, or a reload, shows it again; what the page does not know is not there", () => {
  overlay.show("rules");
  pages.step(-1, overlay);
  pages.step(1, overlay);
  expect(overlay.open).toBe("rules");
  expect(new Overlay(pages).open).toBe("rules");
  pages.replaceState({ over: "nonsense" });
  expect(new Overlay(pages).open).toBe(null);
});
