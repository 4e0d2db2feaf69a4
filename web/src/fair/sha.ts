// SHA-256. Browsers keep crypto.subtle from pages that come over plain http, as in a home network, so it is written out.

/** The first bits behind the point of the roots of the first primes. */
const roots = (count: number, power: number): Uint32Array => {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++) if (primes.every((p) => number % p)) primes.push(number);
  return Uint32Array.from(primes, (prime) => (prime ** power % 1) * 2 ** 32);
};
const START = roots(8, 1 / 2);
const ROUNDS = roots(64, 1 / 3);
const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));
const mixed = (word: number, a: number, b: number, rest: number): number => turned(word, a) ^ turned(word, b) ^ rest;
const words = new Int32Array(64);
const mixing = new Int32Array(72); // eight numbers, sixty-four times, each time one place further down
const at = (row: Int32Array | Uint32Array, index: number): number => row[index] as number;

const coder = new TextEncoder();
export const text = (line: string): Uint8Array => coder.encode(line);
export const hex = (bytes: Uint8Array): string => Array.from(bytes, (b) => b.toString(16).padStart(2, "0")).join("");
export const unhex = (digits: string): Uint8Array =>
  Uint8Array.from(digits.match(/../g) ?? [], (two) => parseInt(two, 16));
export const four = (number: number): Uint8Array => Uint8Array.of(number >>> 24, number >>> 16, number >>> 8, number);

/** The hash of the sealed deal: SHA-256 of what it is for, and of parts, each behind its length. */
export function digest(label: string, ...parts: readonly Uint8Array[]): Uint8Array {
  let length = label.length + 10;
  const size = parts.reduce((sum, part) => sum + 4 + part.length, length);
  const padded = new Uint8Array(((size + 72) >> 6) << 6);
  const view = new DataView(padded.buffer);
  coder.encodeInto(`ananas/1 ${label}\n`, padded);
  for (const part of parts) {
    view.setUint32(length, part.length);
    padded.set(part, length + 4);
    length += 4 + part.length;
  }
  padded[length] = 0x80;
  view.setUint32(padded.length - 4, 8 * length);
  const sums = Int32Array.from(START);
  for (let block = 0; block < padded.length; block += 64) {
    for (let i = 0; i < 16; i++) words[i] = view.getInt32(block + 4 * i);
    for (let i = 16; i < 64; i++) {
      const [old, late] = [at(words, i - 15), at(words, i - 2)];
      const near = mixed(old, 7, 18, old >>> 3) + mixed(late, 17, 19, late >>> 10);
      words[i] = at(words, i - 16) + at(words, i - 7) + near;
    }
    mixing.set(sums, 64);
    for (let i = 0, top = 64; i < 64; i++, top--) {
      const [a, b, c, e] = [at(mixing, top), at(mixing, top + 1), at(mixing, top + 2), at(mixing, top + 4)];
      const chosen = mixed(e, 6, 11, turned(e, 25)) + ((e & at(mixing, top + 5)) ^ (~e & at(mixing, top + 6)));
      const next = (at(mixing, top + 7) + chosen + at(ROUNDS, i) + at(words, i)) | 0;
      const most = mixed(a, 2, 13, turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
      mixing[top + 3] = at(mixing, top + 3) + next;
      mixing[top - 1] = next + most;
    }
    for (let i = 0; i < 8; i++) sums[i] = at(sums, i) + at(mixing, i);
  }
  const found = new DataView(new ArrayBuffer(32));
  for (let i = 0; i < 8; i++) found.setInt32(4 * i, at(sums, i));
  return new Uint8Array(found.buffer);
}
