// What a screen reader is told: one text at a time, of all that has happened at once.
import { tick } from "svelte";

class Aloud {
  text = $state("");
  #waiting: string[] = [];

  say(text: string): void {
    if (text === "" || this.#waiting.push(text) > 1) return;
    void tick().then(() => {
      const all = this.#waiting.join(". ").replace(/([!?…])\./g, "$1");
      this.#waiting = [];
      // The same words again are told again only where they differ.
      this.text = all === this.text ? `${all}\u00a0` : all;
    });
  }
}

export const aloud = new Aloud();
