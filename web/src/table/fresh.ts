// What is new in a list that the room keeps short and numbers on and on.

/** Gives at each look what has come since the last one, and at the first look nothing: that was said before one came. */
export class Fresh<Entry extends { readonly number: number }> {
  #seen: number | null = null;

  look(entries: readonly Entry[]): Entry[] {
    const seen = this.#seen;
    const last = entries.at(-1)?.number ?? null;
    this.#seen = last ?? seen ?? 0;
    if (seen === null || last === null) return [];
    // A room that starts anew may count anew.
    return last < seen ? [...entries] : entries.filter(({ number }) => number > seen);
  }
}
