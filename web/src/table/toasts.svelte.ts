// What everybody is told: one after the other, each long enough to be read. What has been overtaken is told no more.

const SHOWN = 5_000;

export class Toasts<Told> {
  #queue = $state.raw<readonly Told[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;
  #overtakes: (newer: Told, older: Told) => boolean;

  #lasts: (told: Told) => number;

  /** `lasts`: how long something is to be read, in milliseconds. */
  constructor(overtakes: (newer: Told, older: Told) => boolean, lasts: (told: Told) => number = () => SHOWN) {
    this.#overtakes = overtakes;
    this.#lasts = lasts;
  }

  /** What is to be read now; null where there is nothing. */
  get now(): Told | null {
    return this.#queue[0] ?? null;
  }

  add(told: readonly Told[]): void {
    const shown = this.now;
    const all = [...this.#queue, ...told];
    this.#queue = all.filter((older, place) => !all.slice(place + 1).some((newer) => this.#overtakes(newer, older)));
    if (this.now === shown) return;
    clearTimeout(this.#timer);
    this.#wait();
  }

  /** It has been read. */
  next(): void {
    clearTimeout(this.#timer);
    this.#queue = this.#queue.slice(1);
    if (this.#queue.length > 0) this.#wait();
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #wait(): void {
    const [now] = this.#queue;
    if (now === undefined) return;
    this.#timer = setTimeout(() => {
      this.next();
    }, this.#lasts(now));
  }
}
