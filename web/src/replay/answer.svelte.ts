// What the room was asked over HTTP: its answer, or why there is none.
import { Refusal, type Reason } from "../api";

export class Answer<T> {
  /** The last answer; it stays while a newer one is waited for. */
  value = $state.raw<T | null>(null);
  reason = $state.raw<Reason | null>(null);
  #asked = 0;

  /** Ask, and forget what was asked before; `keep`: an answer that is there already is better than a reason. */
  async ask(call: () => Promise<T>, keep = false): Promise<void> {
    const asked = ++this.#asked;
    try {
      const value = await call();
      if (asked !== this.#asked) return;
      this.value = value;
      this.reason = null;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (asked === this.#asked && !(keep && this.value !== null)) this.reason = error.reason;
    }
  }
}
