// What one browser knows of the deals of a table: what it was shown before each, its own seeds, and how the cards fit.
import type { Card, FairView, HandView, Proof, TableView } from "../protocol";
import { commitmentOf, lotOf, makeSeed } from "./seeds";
import { text } from "./sha";
import { BadProof, verify, type Fault } from "./verify";

/** A seat's part in the shuffle, as it was shown when the hand was called. */
interface Bound {
  commitment: string;
  seed: string | null;
}
/** What is remembered of a hand, beyond a reload. */
export interface Noted {
  hand: number;
  /** What the hand is called in all that seals it. */
  name: string;
  root: string;
  /** Whether the root was shown to this browser before the hand was called. */
  before: boolean;
  /** Null until it is called. */
  bound: Record<string, Bound> | null;
  own: { seat: number; seed: string } | null;
}
export interface Memory {
  load(): readonly Noted[];
  save(noted: readonly Noted[]): void;
}

/**
 * `unsealed`: nothing binds this deal. `seedless`: nobody but the room has shuffled. `uncounted`: others have, and one's
 * own seed has no part. `unproved`: proofs are missing.
 */
export type Verdict = "unsealed" | "waiting" | "unproved" | "seedless" | "uncounted" | "checked" | "failed";
/** What does not fit: what a proof says by itself, or two of them, or a proof and what the table shows. */
export type Why = Fault | "moved" | "button";
export interface Part {
  seat: number;
  seed: string | null;
}
export interface Standing {
  table: string;
  hand: number;
  /** What the hand is called in all that seals it; null where nothing does. */
  name: string | null;
  verdict: Verdict;
  /** How many cards fit so far, and how many are on the table without a proof. */
  cards: number;
  bare: number;
  /** What does not fit; null where all does. */
  why: Why | null;
  root: string | null;
  before: boolean;
  /** Who is bound to a seed, and which he has told; null where nothing is known of it yet. */
  parts: readonly Part[] | null;
  /** Whether one's own seed counts; null where one gave none, or is not dealt in. */
  own: boolean | null;
}

/** What the room is to be sent about one's own seed. */
export type SeedAsk =
  { type: "commit-seed"; hand: number; commitment: string } | { type: "open-seed"; hand: number; seed: string };

/** How many hands are remembered. */
const KEPT = 4;

interface Heard {
  proofs: Proof[];
  seats: Map<Card, number>;
}

/** All cards that are seen, and before which seat each lies. */
const seen = (players: HandView["players"]): ReadonlyMap<Card, number> =>
  new Map(
    players.flatMap(({ seat, board, dealt, discards, laid }) =>
      [...board.top, ...board.middle, ...board.bottom, ...dealt, ...discards, ...laid].map((card): [Card, number] => [
        card,
        seat,
      ]),
    ),
  );

/** All that proofs of one hand have in common. */
const common = (proof: Proof): string => JSON.stringify({ ...proof, cards: [] });

/** Whether a seat is still bound to what it was, and has told no other seed. */
const follows = (old: Bound | undefined, now: Bound): boolean =>
  old?.commitment === now.commitment && (old.seed ?? now.seed) === now.seed;

const partsOf = (bound: Record<string, Bound>): Part[] =>
  Object.entries(bound).map(([seat, { seed }]) => ({ seat: Number(seat), seed }));

const alike = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

export class Keeper {
  readonly #memory: Memory;
  readonly #noted: Map<number, Noted>;
  readonly #heard = new Map<number, Heard>();
  readonly #wrong = new Map<number, Why>();
  /** What has been sent, and not yet shown to be done. */
  #sent: string | null = null;

  constructor(memory: Memory) {
    this.#memory = memory;
    this.#noted = new Map(memory.load().map((noted) => [noted.hand, noted]));
  }

  /** A view has come; gives what the room is to be sent. */
  look(view: TableView, controls: boolean): SeedAsk | null {
    const { fair } = view;
    if (fair === null) return null;
    const noted = this.#noted.get(fair.hand) ?? this.#note(view, fair);
    if (noted.root !== fair.root || noted.name !== fair.name) this.#accuse(fair.hand, "seal");
    if (!fair.name.endsWith(`/${String(fair.hand)}`)) this.#accuse(fair.hand, "seal");
    if (fair.hand <= view.hands) this.#bind(noted, fair.seeds);
    const ask = controls ? this.#askFor(view, noted) : null;
    const key = ask && `${ask.type} ${String(ask.hand)}`;
    const again = key !== null && key === this.#sent;
    this.#sent = key;
    return again ? null : ask;
  }

  /** By what cards can be checked has come; the same may come again. */
  hear(proof: Proof): void {
    const hand = Number(proof.hand.slice(proof.hand.lastIndexOf("/") + 1));
    const heard = this.#heard.get(hand) ?? { proofs: [], seats: new Map<Card, number>() };
    if (heard.proofs.includes(proof)) return;
    this.#heard.set(hand, heard);
    heard.proofs.push(proof);
    try {
      const [first = proof] = heard.proofs;
      if (common(first) !== common(proof)) this.#accuse(hand, "deal");
      for (const { seat, cards } of verify(text(`${JSON.stringify(proof)}\n`))) {
        for (const card of cards) {
          if ((heard.seats.get(card as Card) ?? seat) !== seat) this.#accuse(hand, "twice");
          heard.seats.set(card as Card, seat);
        }
      }
    } catch (error) {
      if (!(error instanceof BadProof)) throw error;
      this.#accuse(hand, error.message);
    }
  }

  /** How the hand stands that a view shows, or the one to come where it shows none; null where there is nothing to say. */
  standing(view: TableView): Standing | null {
    const { hand, table } = view;
    const number = hand?.number ?? view.fair?.hand;
    if (number === undefined) return null;
    const players = hand?.players ?? [];
    const [noted, heard] = [this.#noted.get(number), this.#heard.get(number)];
    const cards = seen(players);
    const bare = [...cards.keys()].filter((card) => heard?.seats.has(card) !== true).length;
    const first = heard?.proofs[0];
    if (hand && first) {
      this.#compare(view, hand, first);
      if (noted) this.#remind(noted, first);
      if ([...cards].some(([card, seat]) => (heard.seats.get(card) ?? seat) !== seat)) {
        this.#accuse(number, "moved");
      }
    }
    const why = this.#wrong.get(number) ?? null;
    const parts = first?.seeds ?? (noted?.bound && partsOf(noted.bound)) ?? null;
    const own = noted?.own ?? null;
    const counts =
      own !== null && players.some(({ seat }) => seat === own.seat)
        ? parts?.some(({ seat, seed }) => seat === own.seat && seed === own.seed) === true
        : null;
    return {
      table,
      hand: number,
      name: noted?.name ?? first?.hand ?? null,
      verdict:
        why !== null
          ? "failed"
          : !noted && !first
            ? "unsealed"
            : !first || bare > 0
              ? "waiting"
              : first.seeds.every(({ seed }) => seed === null)
                ? "seedless"
                : counts === false
                  ? "uncounted"
                  : "checked",
      cards: cards.size - bare,
      bare,
      why,
      root: noted?.root ?? first?.root ?? null,
      before: noted?.before ?? false,
      parts,
      own: counts,
    };
  }

  /** All that this browser knows of a hand, to be kept where something does not fit. */
  evidence(hand: number): string {
    const known = this.#noted.get(hand) ?? null;
    const proofs = this.#heard.get(hand)?.proofs ?? [];
    return `${JSON.stringify({ format: "ananas-evidence-1", wrong: this.#wrong.get(hand) ?? null, known, proofs }, null, 1)}\n`;
  }

  #accuse(hand: number, why: Why): void {
    if (!this.#wrong.has(hand)) this.#wrong.set(hand, why);
  }

  #note(view: TableView, { hand, name, root }: FairView): Noted {
    const noted: Noted = { hand, name, root, before: hand > view.hands, bound: null, own: null };
    this.#noted.set(hand, noted);
    for (const old of [...this.#noted.keys()].sort((a, b) => a - b).slice(0, -KEPT)) {
      this.#noted.delete(old);
      this.#heard.delete(old);
    }
    this.#save();
    return noted;
  }

  #save(): void {
    this.#memory.save([...this.#noted.values()]);
  }

  /** What seats are bound to once the hand is called stands; seeds are told, and then stand too. */
  #bind(noted: Noted, seeds: readonly (Bound & { seat: number })[]): void {
    const now = Object.fromEntries(
      seeds.map(({ seat, commitment, seed }): [number, Bound] => [seat, { commitment, seed }]),
    );
    const old = noted.bound ?? now;
    if (!alike(Object.keys(old), Object.keys(now)) || seeds.some((seed) => !follows(old[seed.seat], seed))) {
      this.#accuse(noted.hand, "seeds");
    } else if (!alike([noted.bound], [now])) {
      noted.bound = now;
      this.#save();
    }
  }

  #askFor({ you, may, fair }: TableView, noted: Noted): SeedAsk | null {
    if (you === null || fair === null) return null;
    const bind = (seed: string): string => commitmentOf(fair.name, you, seed);
    if (may.includes("commit-seed")) {
      if (noted.own?.seat !== you) {
        noted.own = { seat: you, seed: makeSeed() };
        this.#save();
      }
      return { type: "commit-seed", hand: fair.hand, commitment: bind(noted.own.seed) };
    }
    const { own } = noted;
    if (!may.includes("open-seed") || own?.seat !== you) return null;
    // Another window of the same player may have bound the seat.
    const mine = fair.seeds.find(({ seat }) => seat === you)?.commitment === bind(own.seed);
    return mine ? { type: "open-seed", hand: fair.hand, seed: own.seed } : null;
  }

  /** Whether a proof holds to what was shown before there was one. */
  #remind({ hand, name, root, bound }: Noted, proof: Proof): void {
    if (proof.root !== root || proof.hand !== name) this.#accuse(hand, "seal");
    if (bound === null) return;
    const seats = Object.keys(bound)
      .map(Number)
      .filter((seat) => proof.seats.includes(seat));
    const same = alike(
      seats,
      proof.seeds.map(({ seat }) => seat),
    );
    if (!same || proof.seeds.some((seed) => !follows(bound[seed.seat], seed))) this.#accuse(hand, "seeds");
  }

  /** Whether the deal that is proved is the one that is shown: else the room could choose among many. */
  #compare(view: TableView, { number, players }: HandView, proof: Proof): void {
    const seats = players.map(({ seat }) => seat);
    const fantasyland = players.map((player) => player.fantasyland);
    const deal = view.phase === "laying" ? view.rules.deal : proof.deal;
    if (!alike([proof.seats, proof.fantasyland, proof.deal], [seats, fantasyland, deal])) {
      this.#accuse(number, "deal");
    }
    // Later buttons follow from the one before; the first one would let the room pick among several deals. The first
    // hand of the first match is a later one where hands before it did not count.
    const rising = [...seats].sort((a, b) => a - b);
    const first = number === 1 || (view.match?.number === 1 && view.match.hand === 1);
    if (first && seats.at(-1) !== rising[lotOf(proof) % rising.length]) {
      this.#accuse(number, "button");
    }
  }
}
