// What is said at the table: what has just been said stands beside the speaker, what was said before in a list.
// Somebody whom one does not want to hear is neither seen nor read aloud; that is remembered.
import type { SaidView, TableView } from "../protocol";
import { forget, remember, remembered } from "../remember";
import { Fresh } from "./fresh";

const SHOWN = 4_000;
const KEPT = 40;
const QUIET = "quiet";
const MUTED = "muted";

/** What was said, and what the speaker was called then. */
export interface Line extends SaidView {
  name: string;
}

export class Talk {
  /** The last thing each one has just said. */
  bubbles = $state.raw<readonly Line[]>([]);
  /** What was heard since the page was opened, the last at the end. */
  lines = $state.raw<readonly Line[]>([]);
  #quiet = $state(remembered(QUIET) !== null);
  #muted = $state.raw<readonly string[]>([]);
  readonly #table: string;
  readonly #fresh = new Fresh<SaidView>();
  #timers: readonly ReturnType<typeof setTimeout>[] = [];

  constructor(table: string) {
    this.#table = table;
    const [of, ...names] = (remembered(MUTED) ?? "").split("\n");
    if (of === table) this.#muted = names;
  }

  /** Take in what was said since the last view; gives what of it is to be read aloud: what others have said. */
  hear({ said, seats, you }: TableView): readonly Line[] {
    const heard = this.#fresh.look(said).flatMap((line): Line[] => {
      const name = seats[line.seat]?.name;
      return name === undefined || (line.seat !== you && this.mutes(name)) ? [] : [{ ...line, name }];
    });
    if (heard.length === 0) return [];
    this.lines = [...this.lines, ...heard].slice(-KEPT);
    const speakers = heard.map(({ seat }) => seat);
    const last = heard.filter(({ seat }, place) => speakers.lastIndexOf(seat) === place);
    this.bubbles = [...this.bubbles.filter(({ seat }) => !speakers.includes(seat)), ...last];
    const timer = setTimeout(() => {
      this.#timers = this.#timers.filter((other) => other !== timer);
      this.bubbles = this.bubbles.filter((bubble) => !last.includes(bubble));
    }, SHOWN);
    this.#timers = [...this.#timers, timer];
    return heard.filter(({ seat }) => seat !== you);
  }

  /** Whether one hears nobody at all. */
  get quiet(): boolean {
    return this.#quiet;
  }

  set quiet(on: boolean) {
    this.#quiet = on;
    if (on) remember(QUIET, "on");
    else forget(QUIET);
    this.#forgetMuted();
  }

  mutes(name: string): boolean {
    return this.#quiet || this.#muted.includes(name);
  }

  mute(name: string, on: boolean): void {
    this.#muted = [...this.#muted.filter((other) => other !== name), ...(on ? [name] : [])];
    if (this.#muted.length > 0) remember(MUTED, [this.#table, ...this.#muted].join("\n"));
    else forget(MUTED);
    this.#forgetMuted();
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #forgetMuted(): void {
    this.bubbles = this.bubbles.filter(({ name }) => !this.mutes(name));
  }
}
