import { describe, expect, test } from "vitest";

import written from "../../../tests/data/row_vectors.json";
import type { Board, Card, RoyaltyTable } from "../protocol";
import { compare, fouled, isSafe, outlook, royalty, SIZE, worth, type Category, type Row } from "./rows";

interface Vectors {
  rows: { row: Row; cards: string; category: Category; ranks: number[]; royalty: number; strength: number }[];
  boards: { board: string; foul: boolean }[];
  tables: Record<string, RoyaltyTable>;
  royalties: { table: string; row: Row; cards: string; royalty: number }[];
  equality: { equality: "allowed" | "strict"; board: string; foul: boolean }[];
}
const vectors = written as Vectors;
const tableOf = (name: string): RoyaltyTable => {
  const table = vectors.tables[name];
  if (!table) throw new Error(`there is no table ${name}`);
  return table;
};
const american = { royalties: "net", royalty_table: tableOf("american") } as const;
const usual = { equality: "allowed" } as const;

const cards = (text: string): Card[] => (text === "-" ? [] : (text.match(/../g) ?? [])) as Card[];
const board = (text: string): Board => {
  const [top = "", middle = "", bottom = ""] = text.split("/");
  return { top: cards(top), middle: cards(middle), bottom: cards(bottom) };
};

describe("as the room's rules have it", () => {
  test.each(vectors.rows)("$row $cards is $category for $royalty", ({ row, cards: text, category, ranks, ...rest }) => {
    const found = worth(row, cards(text));
    expect(found).toEqual({ category, ranks });
    expect(royalty(row, found, american)).toBe(rest.royalty);
  });

  test("every two rows compare as their strengths do", () => {
    for (const one of vectors.rows) {
      for (const two of vectors.rows) {
        const found = compare(worth(one.row, cards(one.cards)), worth(two.row, cards(two.cards)));
        expect(Math.sign(found), `${one.cards} ${two.cards}`).toBe(Math.sign(one.strength - two.strength));
      }
    }
  });

  test.each(vectors.boards)("$board: foul $foul", ({ board: text, foul }) => {
    expect(fouled(board(text), usual)).toBe(foul);
    expect(outlook(board(text), [], usual).dead).toBe(foul);
    expect(isSafe(board(text), [], usual)).toBe(!foul);
  });

  test.each(vectors.royalties)(
    "by $table $row $cards earns $royalty",
    ({ table, row, cards: text, royalty: earns }) => {
      const found = worth(row, cards(text));
      expect(royalty(row, found, { royalties: "net", royalty_table: tableOf(table) })).toBe(earns);
      expect(royalty(row, found, { royalties: "none", royalty_table: tableOf(table) })).toBe(0);
    },
  );

  test.each(vectors.equality)("where equality is $equality, $board: foul $foul", ({ equality, board: text, foul }) => {
    expect(fouled(board(text), { equality })).toBe(foul);
    expect(outlook(board(text), [], { equality }).dead).toBe(foul);
    expect(isSafe(board(text), [], { equality })).toBe(!foul);
  });

  test("a board that ends legal was never called dead on its way", () => {
    for (const { board: text } of vectors.boards.filter(({ foul }) => !foul)) {
      const { top, middle, bottom } = board(text);
      for (const left of [1, 2, 3, 5]) {
        const part = {
          top: top.slice(0, -1),
          middle: middle.slice(0, -left),
          bottom: bottom.slice(0, 5 - (left >> 1)),
        };
        expect(outlook(part, [], usual).dead, text).toBe(false);
      }
    }
  });
});

test("an unfinished row is worth what lies in it", () => {
  expect(worth("middle", cards("8h8d"))).toEqual({ category: "pair", ranks: [8] });
  expect(worth("bottom", cards("KcJc9c4c"))).toEqual({ category: "high-card", ranks: [13, 11, 9, 4] });
  expect(worth("top", [])).toEqual({ category: "high-card", ranks: [] });
  expect(SIZE).toEqual({ top: 3, middle: 5, bottom: 5 });
});

const warned = (text: string, thrown = ""): string => {
  const { dead, warnings } = outlook(board(text), cards(thrown), usual);
  const lines = warnings.map(
    ({ row, than, needs }) => `${row}<${than}: ${needs ? `${needs.category} ${needs.ranks[0] ?? ""}` : "-"}`,
  );
  return [...(dead ? ["dead"] : []), ...lines].join("; ");
};

describe("warnings", () => {
  test.each([
    ["QsQd/8h8d/KcJc9c4c", "middle<top: two-pair 8; bottom<top: pair 13"],
    ["QsQd/QhJd/KcJc9c4c", "middle<top: pair 12; bottom<top: pair 13"],
    ["QsQd/8h8d/KcKdJc9c", "middle<top: two-pair 8"],
    ["QsQd/8h8d/KcKdJc9c4c", "dead; middle<top: two-pair 8"],
    ["QsQd/8h4d/KcKd", "middle<top: two-pair 4", "QhQcAhAdAcKhKs9c9d9h9sTcTdThTsJcJdJhJs"],
    ["QsQd/8h/KcKd", ""],
    ["QsQd/-/KcKd", ""],
    ["Qs/8h8d/Kc", ""],
    ["Ks/9h/Tc", ""],
    ["KhKd3h/AcQh9h6c2d/TdTc5s5d2c", "dead; middle<top: -"],
    ["KhKd3h/AcQh9h6c/TdTc5s5d2c", "middle<top: pair 14"],
    ["KhKd3h/QcJh9h6c/TdTc5s5d2c", "dead; middle<top: -"],
    ["2s2d/3h3d3c/4h4d5s6c7d", "dead; bottom<middle: -"],
    ["AsAdAh/2c4d/5h6h7h8h9h", "middle<top: straight 5"],
    ["QsQd/8h8d7c2s/KcKdJc9c", "middle<top: two-pair 8"],
    ["4s4d/9h9d9c9s/KcKdJc9h", "dead; bottom<middle: -"],
  ])("%s: %s", (text, expected, thrown = "") => {
    expect(warned(text, thrown)).toBe(expected);
  });

  test("what is thrown away cannot save a board", () => {
    const saved = "AsAd/KhKd7c2s/3c3d3h4s4h";
    expect(outlook(board(saved), [], usual).dead).toBe(false);
    expect(outlook(board(saved), cards("7d7h7s2c2d2hKsKcAhAc"), usual).dead).toBe(true);
  });
  test.each([
    ["QsQd/8h8d3c3h/KcJc9c4cAc", false],
    ["QsQd2c/8h8d3c3h/KcJc9c4cAc", false],
    ["QsQd2c/8h8d3c3h/KcKdKhKs9h", true],
    ["QsQd2c/8h8d3c3h/KcKd9c9h", false],
    ["QsQd2c/8h8d3c3h/KcKdKh9h", false],
    ["QsQd2c/8h8d3c3h5s/KcKd9c9h", true],
    ["QsQd2c/-/KcJc9c4cAc", false],
  ])("%s is safe: %s", (text, safe) => {
    expect(isSafe(board(text), [], usual)).toBe(safe);
  });
  test("where equality is strict, a row that is full has to be beaten", () => {
    const equal = "2s3d4h/5c6d7h8s9c/5d6h7s8c";
    expect(outlook(board(equal), cards("TcTdThTs"), usual).dead).toBe(false);
    expect(outlook(board(equal), cards("TcTdThTs"), { equality: "strict" }).dead).toBe(true);
  });
});
