// What lies over the table. The browser's own step back closes it, as Escape does: each lies on a page of the history.

const KINDS = [
  "menu",
  "invite",
  "leave",
  "rules",
  "chips",
  "waive",
  "host",
  "new-rules",
  "phrases",
  "deck",
  "last",
  "fair",
] as const;
export type Opened = (typeof KINDS)[number];

/** What of a browser's history is needed; a test brings its own. */
export type Past = Pick<History, "state" | "pushState" | "replaceState" | "back">;

/** What a page of the history says to lie over the table. */
function overIn(state: unknown): Opened | null {
  if (typeof state !== "object" || state === null || !("over" in state)) return null;
  return KINDS.find((kind) => kind === state.over) ?? null;
}

export class Overlay {
  #open = $state<Opened | null>(null);
  /** What waits until the step back that closes the one before has been made. */
  #next: Opened | null = null;
  #closing = false;
  readonly #past: Past;

  /** After a reload the same lies there again. */
  constructor(past: Past = history) {
    this.#past = past;
    this.#open = overIn(past.state);
  }

  get open(): Opened | null {
    return this.#open;
  }

  show(next: Opened | null): void {
    if (this.#closing) {
      this.#next = next;
    } else if (next === null) {
      if (this.#open === null) return;
      this.#open = null;
      this.#closing = true;
      this.#past.back();
    } else {
      const page = { over: next };
      if (this.#open === null) this.#past.pushState(page, "");
      else this.#past.replaceState(page, "");
      this.#open = next;
    }
  }

  /** The browser has gone to another page of its history. */
  moved(): void {
    this.#closing = false;
    this.#open = overIn(this.#past.state);
    const next = this.#next;
    this.#next = null;
    if (next !== null) this.show(next);
  }
}
