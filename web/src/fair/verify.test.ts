import { expect, it, vi } from "vitest";

import { commitmentOf, makeSeed } from "./seeds";
import { digest, hex, text, unhex } from "./sha";
import { BadProof, verify } from "./verify";

const files = import.meta.glob<string>("../../../tests/data/proofs/*.json", {
  query: "?raw",
  import: "default",
  eager: true,
});
const kept = (name: string): string => files[`../../../tests/data/proofs/${name}.json`] ?? "";
const shown = (line: string): string[] =>
  verify(text(line)).map((s) => `${s.seat} ${s.street}: ${s.cards.join("")} +${s.hidden}`);

it("hashes as the browser does where it is let", async () => {
  for (const length of [0, 1, 31, 32, 37, 38, 39, 64, 101, 102, 103, 1000]) {
    const part = Uint8Array.from({ length }, (_, i) => i * 7);
    const whole = Uint8Array.from([...text("ananas/1 leaf\n"), 0, 0, length >> 8, length & 255, ...part]);
    const expected = hex(new Uint8Array(await crypto.subtle.digest("SHA-256", whole)));
    expect(hex(digest("leaf", part)), `${length}`).toBe(expected);
  }
});

it("has the hash that the documents have", () => {
  expect(hex(digest("node", new Uint8Array(32), new Uint8Array(32)))).toMatch(/^0223c617bd097fa8/);
});

it("tells what a proof opens and how much stays hidden", () => {
  const hidden = (from: number, ...counts: number[]): string[] => counts.map((n, i) => `${from} ${i + 1}:  +${n}`);
  const own = hidden(0, 5, 3, 3, 3, 3);
  expect(shown(kept("running"))).toEqual([
    "2 1: 8hKh5d7hAd +0",
    "2 2: AsAc +1",
    ...hidden(2, 5, 3, 3, 3, 3).slice(2),
    ...own,
    "1 1:  +14",
  ]);
  expect(shown(kept("over")).at(-1)).toMatch(/^1 1: \w{26} \+1$/);
  expect(shown(kept("alone"))).toEqual([0, 1].flatMap((seat) => hidden(seat, 5, ...new Array<number>(8).fill(1))));
});

it("takes one way of writing only, and throws nothing but BadProof", () => {
  const line = kept("own");
  verify(text(line));
  const again = (change: (proof: Record<string, unknown>) => object): string =>
    JSON.stringify(change(JSON.parse(line) as Record<string, unknown>)) + "\n";
  verify(text(again((proof) => proof)));
  for (const other of [
    "",
    "null",
    "[]",
    line.trimEnd(),
    line + "\n",
    ` ${line}`,
    `\ufeff${line}`,
    line.replace('"deck":', '"deck": '),
    line.replace('"deck":', '"deck":1,"deck":'),
    line.replace(/"root":"[^"]*"/, (root) => root.toUpperCase().replace("ROOT", "root")),
    again(({ hand, ...proof }) => ({ ...proof, hand })),
    again((proof) => ({ ...proof, more: 1 })),
    again((proof) => ({ ...proof, cards: [] })).replace("[]}", "{}}"),
  ])
    expect(() => verify(text(other)), other.slice(0, 60)).toThrow(BadProof);
  expect(() => verify(Uint8Array.of(0xff, 0xfe))).toThrow(BadProof);
});

it("holds a proof to what the reader knows himself", () => {
  const line = kept("over");
  const { root, seeds } = JSON.parse(line) as {
    root: string;
    seeds: { seat: number; commitment: string; seed: string }[];
  };
  verify(text(line), { root, seeds });
  expect(() => verify(text(line), { root: root.replace(/./, (d) => (d === "0" ? "1" : "0")) })).toThrow("seal");
  for (const change of [{ seat: 3 }, { commitment: root }, { seed: "00".repeat(16) }])
    expect(() => verify(text(line), { seeds: seeds.map((seed) => ({ ...seed, ...change })) })).toThrow("seed");
});

it("makes seeds nobody can foresee, without what browsers keep from plain http", () => {
  vi.stubGlobal("crypto", { getRandomValues: (bytes: Uint8Array) => bytes.fill(0xab) });
  expect(makeSeed()).toBe("ab".repeat(16));
  vi.unstubAllGlobals();
  const seeds = new Set(Array.from({ length: 1000 }, makeSeed));
  expect(seeds.size).toBe(1000);
  for (const seed of seeds) expect(seed).toMatch(/^[\da-f]{32}$/);
});

it("binds a seat to its seed in the way a proof does", () => {
  const { hand, seeds } = JSON.parse(kept("over")) as {
    hand: string;
    seeds: { seat: number; commitment: string; seed: string | null }[];
  };
  const told = seeds.filter(({ seed }) => seed !== null);
  expect(told).toHaveLength(2);
  for (const { seat, commitment, seed } of told) {
    expect(commitmentOf(hand, seat, seed ?? "")).toBe(commitment);
    expect(commitmentOf(hand, seat + 1, seed ?? "")).not.toBe(commitment);
    expect(commitmentOf(`${hand}0`, seat, seed ?? "")).not.toBe(commitment);
  }
  expect(hex(unhex("00ff10"))).toBe("00ff10");
});
