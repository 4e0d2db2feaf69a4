// A part of the page that the first card does not need: fetched when it is wanted, or before that when nothing else is
// to be done. Once it is here it is shown at once, with nothing in between.

/** How long it is waited before what could not be had is asked for again. */
const AGAIN = 5_000;

export class Later<Part> {
  #part = $state.raw<Part | null>(null);
  #failed = $state(false);
  readonly #load: () => Promise<Part>;
  #loading = false;

  constructor(load: () => Promise<Part>) {
    this.#load = load;
  }

  /** The part; null until it is here. */
  get part(): Part | null {
    return this.#part;
  }

  /** The part, which is fetched now where it is not here yet. */
  want(): Part | null {
    this.fetch();
    return this.#part;
  }

  /** Whether it could not be had when it was asked for last. */
  get failed(): boolean {
    return this.#failed;
  }

  fetch(): void {
    if (this.#loading || this.#part !== null) return;
    this.#loading = true;
    this.#load().then(
      (part) => {
        this.#part = part;
        this.#failed = false;
      },
      () => {
        this.#failed = true;
        setTimeout(() => {
          this.#loading = false;
          this.fetch();
        }, AGAIN);
      },
    );
  }
}

/** Fetch these one after the other when the page has nothing else to do; gives how to stop that. */
export function fetchAhead(parts: readonly { fetch(): void }[]): () => void {
  const idle: (task: () => void) => unknown = "requestIdleCallback" in window ? requestIdleCallback : setTimeout;
  let stopped = false;
  const fetchFrom = (place: number): void => {
    if (stopped || place === parts.length) return;
    parts[place]?.fetch();
    idle(() => {
      fetchFrom(place + 1);
    });
  };
  idle(() => {
    fetchFrom(0);
  });
  return () => {
    stopped = true;
  };
}
