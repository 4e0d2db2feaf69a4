import { expect, test } from "vitest";

import english from "../../../docs/rules.md?raw";
import russian from "../../../docs/rules.ru.md?raw";
import { bookOf } from "../../book";
import type { Block } from "./book";

test("a document becomes what the page shows, and no more", () => {
  const text = [
    "# The book",
    "",
    "See [the other one](other.md).",
    "",
    "## 3. Rows",
    "",
    "**3.1.** The *top* is `QsQh`, see [4](#4) and `ready_seconds`.",
    "",
    "- one",
    "- two",
    "",
    "| a | b |",
    "|---|---|",
    "| 1 | a sentence of some more words |",
    "",
    "```",
    "code",
    "```",
  ].join("\n");
  expect(bookOf(text)).toEqual([
    ["h", 1, null, ["The book"], "The book"],
    ["h", 2, "3", ["3. Rows"], "3. Rows"],
    [
      "p",
      "3.1",
      [
        ["b", ["3.1."]],
        " The ",
        ["i", ["top"]],
        " is ",
        ["cards", ["Qs", "Qh"]],
        ", see ",
        ["a", "#4", ["4"]],
        " and ",
        ["code", "ready_seconds"],
        ".",
      ],
    ],
    ["ul", [[["text", ["one"]]], [["text", ["two"]]]]],
    [
      "table",
      [
        ["line", ["a"]],
        ["line", ["b"]],
      ],
      [
        [
          ["line", ["1"]],
          ["sentence", ["a sentence of some more words"]],
        ],
      ],
    ],
    ["pre", "code"],
  ] satisfies Block[]);
});

test.each([
  ["English", english],
  ["Russian", russian],
])("the %s book has all its chapters and numbered paragraphs", (_, text) => {
  const blocks = bookOf(text);
  const anchors = blocks.flatMap((block) => (block[0] === "p" && block[1] !== null ? [block[1]] : []));
  expect(anchors).toEqual([...text.matchAll(/^\*\*(\d+(?:\.\d+)+)\.\*\*/gm)].map(([, number]) => number));
  const chapters = blocks.filter((block) => block[0] === "h" && block[1] === 2);
  expect(chapters.length).toBe([...text.matchAll(/^## /gm)].length);
  expect(JSON.stringify(blocks)).not.toMatch(/\*\*|\]\(/);
});
