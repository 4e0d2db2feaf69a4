// What everybody is told: one after the other, each long enough to be read.

const SHOWN = 5_000;

export class Toasts<Told> {
  #queue = $state.raw<readonly Told[]>([]);
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** What is to be read now; null where there is nothing. */
  get now(): Told | null {
    return this.#queue[0] ?? null;
  }

  add(told: readonly Told[]): void {
    if (told.length === 0) return;
    const idle = this.#queue.length === 0;
    this.#queue = [...this.#queue, ...told];
    if (idle) this.#wait();
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
    this.#timer = setTimeout(() => {
      this.next();
    }, SHOWN);
  }
}
