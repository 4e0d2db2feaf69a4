// The pages by path, and what the one before asked the table to do on arrival.

/** `sit`: take a seat at once. `play`: and say ready to the first hand. */
export type Intent = "sit" | "play";

const ID = "[A-Za-z0-9_-]{1,64}";
const PAGES = {
  home: /^\/(?:index\.html)?$/,
  rules: /^\/rules\/?$/,
  lesson: /^\/lesson\/?$/,
  table: new RegExp(`^/t/(${ID})/?$`),
  hands: new RegExp(`^/t/(${ID})/hands/?$`),
  hand: new RegExp(`^/t/(${ID})/hands/([1-9][0-9]{0,8})/?$`),
  review: new RegExp(`^/t/(${ID})/hands/([1-9][0-9]{0,8})/review/?$`),
  account: new RegExp(`^/t/(${ID})/account/?$`),
  shared: new RegExp(`^/h/(${ID})/?$`),
  "shared-review": new RegExp(`^/h/(${ID})/review/?$`),
  puzzle: /^\/puzzle\/?$/,
  device: new RegExp(`^/d/(${ID})/?$`),
} as const;
/** `lost`: there is no such page. */
export type Page = keyof typeof PAGES | "lost";

class Route {
  #path = $state(location.pathname);
  #part = $state(location.hash.slice(1));
  #intent: Intent | null = null;

  constructor() {
    addEventListener("popstate", () => {
      this.#look();
    });
  }

  readonly #found = $derived.by((): { page: Page; parts: readonly string[] } => {
    for (const [page, pattern] of Object.entries(PAGES)) {
      const found = pattern.exec(this.#path);
      if (found) return { page: page as Page, parts: found.slice(1) };
    }
    return { page: "lost", parts: [] };
  });

  get page(): Page {
    return this.#found.page;
  }

  /** The table, the link that was shared or the device's link in the address; empty where there is none. */
  get id(): string {
    const [id = ""] = this.#found.parts;
    // A table's code is read in any case; links are not written by hand.
    return ["table", "hands", "hand", "review", "account"].includes(this.page) ? id.toLowerCase() : id;
  }

  /** The number of the hand in the address; 0 where there is none. */
  get hand(): number {
    return Number(this.#found.parts[1] ?? 0);
  }

  /** The table whose screen this is; null on every other page. */
  get table(): string | null {
    return this.page === "table" ? this.id : null;
  }

  /** What stands behind the # in the address: a part of the page. */
  get part(): string {
    return this.#part;
  }

  #look(): void {
    this.#path = location.pathname;
    this.#part = location.hash.slice(1);
  }

  go(path: string, intent: Intent | null = null): void {
    this.#intent = intent;
    // Whoever comes back comes back to the page, not to what lay over it.
    const over = (history.state as { over?: unknown } | null)?.over !== undefined;
    history[over ? "replaceState" : "pushState"](null, "", path);
    this.#look();
    scrollTo(0, 0);
  }

  /** The intent, once: a reload or a step back does not repeat it. */
  takeIntent(): Intent | null {
    const intent = this.#intent;
    this.#intent = null;
    return intent;
  }
}

export const route = new Route();

/** The table in a link or a code as people paste or type them, in any case; null where there is none. */
export function tableIn(text: string): string | null {
  const written = text.replace(/\s/g, "").toLowerCase();
  return new RegExp(`/t/(${ID})`).exec(written)?.[1] ?? new RegExp(`^${ID}$`).exec(written)?.[0] ?? null;
}
