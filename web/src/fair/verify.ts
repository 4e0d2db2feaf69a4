// The second verifier of the sealed deal, written from docs/fair.md: it shares no code with the room's.
import { digest, four, hex, text, unhex } from "./sha";

export type Seed = { seat: number; commitment: string; seed: string | null };
type Open = { leaf: number; card: string; salt: string; path: string[] };
type Proof = Record<"hand" | "root" | "choice" | "deck_root", string> &
  Record<"deal" | "seats" | "fantasyland", number[]> &
  Record<"deck_path" | "others", string[]> & { seeds: Seed[]; deck: number; cards: Open[] };
/** What the reader knows himself: the root he was shown before the hand, the seeds he knows of. */
export type Known = { readonly root?: string; readonly seeds?: readonly Seed[] };
/** What is opened of a street, counted from 1; Fantasyland is one. */
export type Street = { seat: number; street: number; cards: string[]; hidden: number };

/** What does not hold: how it is written, the seal, the players' seeds or what they choose, the deal, a card, a deck. */
export type Fault = "form" | "seal" | "seeds" | "deal" | "twice" | "card" | "decks";
export class BadProof extends Error {
  declare readonly message: Fault;
}
const must = (holds: boolean, otherwise: Fault): void => {
  if (!holds) throw new BadProof(otherwise);
};

const list = (entry: string): string => `\\[(?:${entry}(?:,${entry})*)?\\]`;
const field = ([name, form]: [string, string]): string => `"${name}":${form}`;
const object = (fields: Record<string, string>): string => `\\{${Object.entries(fields).map(field).join(",")}\\}`;
const [HASH, SALT, NUMBER] = ['"[\\da-f]{64}"', '"[\\da-f]{32}"', "(?:0|[1-9]\\d{0,2})"];
const SIX = `\\[${HASH}(?:,${HASH}){5}\\]`;
const FORM = object({
  format: '"ananas-proof-1"',
  hand: '"[\\w-]{1,64}/[1-9]\\d{0,8}"',
  root: HASH,
  seeds: list(object({ seat: NUMBER, commitment: HASH, seed: `(?:${SALT}|null)` })),
  ...{ deal: list(NUMBER), seats: list(NUMBER), fantasyland: list(NUMBER) },
  ...{ choice: HASH, deck: NUMBER, deck_root: HASH, deck_path: SIX, others: `(?:\\[\\]|${SIX})` },
  cards: list(object({ leaf: NUMBER, card: '"[2-9TJQKA][cdhs]"', salt: SALT, path: SIX })),
});
/** The one way to write a proof. */
const WRITTEN = new RegExp(`^${FORM}\n$`);

const DECK = ["c", "d", "h", "s"].flatMap((suit) => "23456789TJQKA".split("").map((rank) => rank + suit));
const byte = (number: number): Uint8Array => Uint8Array.of(number);
/** Bytes without end out of a key. */
function* stream(label: string, key: Uint8Array): Generator<number, never> {
  for (let block = 0; ; block++) yield* digest(label, key, four(block));
}

/** Every order as likely: bytes that would make one likelier are thrown away. */
function shuffled<T>(things: readonly T[], source: Generator<number, never>): T[] {
  const order = [...things];
  for (let limit = order.length; limit > 1; limit--) {
    let drawn = source.next().value;
    while (drawn >= 256 - (256 % limit)) drawn = source.next().value;
    const chosen = drawn % limit;
    [order[limit - 1], order[chosen]] = [order[chosen] as T, order[limit - 1] as T];
  }
  return order;
}

function rootOf(leaves: readonly Uint8Array[]): Uint8Array {
  const half = leaves.length / 2;
  if (half < 1) return leaves[0] as Uint8Array;
  return digest("node", rootOf(leaves.slice(0, half)), rootOf(leaves.slice(half)));
}

/** The root to which a leaf leads by the hashes beside its way. */
const climb = (leaf: Uint8Array, place: number, path: string[]): Uint8Array =>
  path.reduce((found, other, level) => {
    const pair = [found, unhex(other)];
    return digest("node", ...((place >> level) & 1 ? pair.reverse() : pair));
  }, leaf);

const leafOf = (hand: Uint8Array, deck: number, place: number, card: string, salt: Uint8Array): Uint8Array =>
  digest("leaf", hand, byte(deck), byte(place), text(card), salt);

/** The root over all decks that a seed of the tree of seeds tells. */
function told(hand: Uint8Array, seed: Uint8Array, first: number, count: number): Uint8Array {
  const half = count / 2;
  const below = (side: string, from: number): Uint8Array => told(hand, digest(side, hand, seed), from, half);
  if (count > 1) return digest("node", below("left", first), below("right", first + half));
  const salts = stream("salt", seed);
  const salt = (): Uint8Array => Uint8Array.from({ length: 16 }, () => salts.next().value);
  const leaves = shuffled(DECK, stream("order", seed)).map((card, i) => leafOf(hand, first, i, card, salt()));
  return rootOf([...leaves, ...Array.from({ length: 12 }, () => new Uint8Array(32))]);
}

const rising = (row: number[]): boolean => row.every((number, i) => number > (row[i - 1] ?? -1));

/** Checks a file, or the JSON of a message and a line end, and says what it opens; throws `BadProof`. */
export function verify(data: Uint8Array, known: Known = {}): Street[] {
  const line = new TextDecoder("utf-8", { ignoreBOM: true }).decode(data);
  must(WRITTEN.test(line), "form");
  const proof = JSON.parse(line) as Proof;
  const { root, seeds, deal, seats, fantasyland, deck, cards, others } = proof;
  const hand = text(proof.hand);
  must((known.root ?? root) === root, "seal");
  const same = (a: Seed, b: Seed): boolean => a.seat === b.seat && a.commitment === b.commitment && a.seed === b.seed;
  must(!known.seeds?.some((mine) => !seeds.some((seed) => same(mine, seed))), "seeds");
  must(new Set(seats).size === seats.length && !seats.some((seat) => seat > 255), "deal");
  must(!seeds.some((s) => !seats.includes(s.seat)) && rising(seeds.map((s) => s.seat)), "seeds");
  const bound = (s: Seed): string => hex(digest("commit", hand, byte(s.seat), unhex(s.seed ?? "")));
  must(!seeds.some((s) => s.seed !== null && bound(s) !== s.commitment), "seeds");
  const given = seeds.flatMap((s) => [byte(s.seat), unhex(s.commitment), unhex(s.seed ?? "")]);
  const draw = digest("draw", hand, unhex(root), ...given);
  const choice = digest("setup", draw, text(JSON.stringify({ deal, seats, fantasyland })));
  must(hex(choice) === proof.choice, "seeds");
  const bytes = stream("choice", choice);
  must(bytes.next().value % 64 === deck, "seeds");
  const slots = shuffled([...DECK.keys()], bytes);
  const share = Math.floor(52 / seats.length);
  must(seats.length > 1 && seats.length < 5 && fantasyland.length === seats.length, "deal");
  const sizes = [deal, ...fantasyland.filter((size) => size).map((size) => [size])];
  const tooMuch = (row: number[]): boolean => !row.length || row.includes(0) || row.reduce((a, b) => a + b) > share;
  must(!sizes.some(tooMuch), "deal");
  must(rising(cards.map((card) => card.leaf)), "form");
  must(new Set(cards.map((card) => card.card)).size === cards.length, "twice");
  const streets = seats.flatMap((seat, player) => {
    let next = player * share;
    return (fantasyland[player] ? [fantasyland[player]] : deal).map((size, i): Street => {
      const places = slots.slice(next, (next += size));
      const open = cards.filter((card) => places.includes(card.leaf)).sort((a, b) => (a.salt < b.salt ? -1 : 1));
      return { seat, street: i + 1, cards: open.map((card) => card.card), hidden: size - open.length };
    });
  });
  must(streets.flatMap((street) => street.cards).length === cards.length, "deal");
  const above = (c: Open): string => hex(climb(leafOf(hand, deck, c.leaf, c.card, unhex(c.salt)), c.leaf, c.path));
  must(!cards.some((card) => above(card) !== proof.deck_root), "card");
  must(hex(climb(unhex(proof.deck_root), deck, proof.deck_path)) === root, "decks");
  // Each seed beside the way down to the deck tells half as many decks as the one before.
  others.forEach((seed, depth) => {
    const count = 32 >> depth;
    const root = hex(told(hand, unhex(seed), (deck & -count) ^ count, count));
    must(root === proof.deck_path[5 - depth], "decks");
  });
  return streets;
}
