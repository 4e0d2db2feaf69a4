// A review that is asked for until all of it is judged.
import { Refusal } from "../api";
import type { HandReview } from "../protocol";
import { Answer } from "../replay/answer.svelte";

/** How long it is waited before what is not ready yet is asked for again, and where the room was out of reach. */
const AGAIN_MS = 500;
const AWAY_MS = 2_000;

export class Asked {
  readonly #answer = new Answer<HandReview>();

  get value(): HandReview | null {
    return this.#answer.value;
  }

  get reason(): Answer<HandReview>["reason"] {
    return this.#answer.reason;
  }

  /** Ask until it is done; nothing is asked while nobody looks. Gives how to stop. */
  follow(call: () => Promise<HandReview>): () => void {
    let last: HandReview | null = null;
    let refused = false;
    let stopped = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = async (): Promise<HandReview> => {
      try {
        const found = await call();
        last = found;
        return found;
      } catch (error) {
        refused = error instanceof Refusal && error.reason.code !== "offline";
        throw error;
      }
    };
    const look = async (): Promise<void> => {
      if (document.hidden) {
        document.addEventListener("visibilitychange", again, { once: true });
        return;
      }
      const before = last;
      await this.#answer.ask(ask, last !== null);
      if (stopped || refused || last?.done) return;
      timer = setTimeout(again, last === before ? AWAY_MS : AGAIN_MS);
    };
    const again = (): void => {
      if (!stopped) void look();
    };
    void look();
    return () => {
      stopped = true;
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", again);
    };
  }
}
