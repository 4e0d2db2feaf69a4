// A player's own chance: made here, bound before the hand, told when it is called.
import { digest, hex, text, unhex } from "./sha";

/** A seed nobody can foresee, in hexadecimal digits. */
export const makeSeed = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

/** What binds a seat of a hand, `TABLE/NUMBER`, to its seed. */
export const commitmentOf = (hand: string, seat: number, seed: string): string =>
  hex(digest("commit", text(hand), Uint8Array.of(seat), unhex(seed)));
