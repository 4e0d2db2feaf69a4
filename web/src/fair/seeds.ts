// A player's own chance: made here, bound before the hand, told when it is called; and the lot that all seeds draw.
import type { Proof } from "../protocol";
import { digest, four, hex, text, unhex } from "./sha";

/** A seed nobody can foresee, in hexadecimal digits. */
export const makeSeed = (): string => hex(crypto.getRandomValues(new Uint8Array(16)));

/** What binds a seat of a hand, `TABLE/NUMBER`, to its seed. */
export const commitmentOf = (hand: string, seat: number, seed: string): string =>
  hex(digest("commit", text(hand), Uint8Array.of(seat), unhex(seed)));

/** The lot of a hand, from 0 to 11: by it the first button of a table falls on one of those who play. */
export function lotOf({ hand, root, seeds }: Pick<Proof, "hand" | "root" | "seeds">): number {
  const given = seeds.flatMap((one) => [Uint8Array.of(one.seat), unhex(one.commitment), unhex(one.seed ?? "")]);
  const draw = digest("draw", text(hand), unhex(root), ...given);
  for (let block = 0; ; block++) {
    for (const byte of digest("lot", draw, four(block))) if (byte < 252) return byte % 12;
  }
}
