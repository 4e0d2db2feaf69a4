// The pages by path, and what the one before asked the table to do on arrival.

/** `sit`: take a seat at once. `play`: and say ready to the first hand. */
export type Intent = "sit" | "play";

const TABLE = /^\/t\/([A-Za-z0-9_-]{1,64})\/?$/;

class Route {
  #path = $state(location.pathname);
  #intent: Intent | null = null;

  constructor() {
    addEventListener("popstate", () => {
      this.#path = location.pathname;
    });
  }

  /** Whether this is the address of the room itself. */
  get home(): boolean {
    return /^\/(?:index\.html)?$/.test(this.#path);
  }

  /** Whether the rule book is asked for. */
  get rules(): boolean {
    return /^\/rules\/?$/.test(this.#path);
  }

  /** The table in the address; null where there is none. */
  get table(): string | null {
    return TABLE.exec(this.#path)?.[1] ?? null;
  }

  go(path: string, intent: Intent | null = null): void {
    this.#intent = intent;
    history.pushState(null, "", path);
    this.#path = path;
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

/** The table in a link or a code as people paste them; null where there is none. */
export function tableIn(text: string): string | null {
  const trimmed = text.trim();
  const linked = /\/t\/([A-Za-z0-9_-]{1,64})/.exec(trimmed);
  return linked?.[1] ?? (/^[A-Za-z0-9_-]{1,64}$/.test(trimmed) ? trimmed : null);
}
