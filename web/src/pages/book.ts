// The rule book as the page gets it: read from the documents when the client is built, see ../../book.ts.
import type { Card } from "../protocol";

/** Words within a line. */
export type Inline =
  | string
  /** Strong, or stressed. */
  | ["b" | "i", Inline[]]
  | ["code", string]
  | ["cards", Card[]]
  /** Within the book; what leads elsewhere is words alone. */
  | ["a", string, Inline[]]
  | ["br"];

/** How a cell is set: figures and single words stay on one line, a sentence has room for some words on each of its. */
export type Setting = "line" | "long" | "sentence" | "";
export type Cell = [Setting, Inline[]];

/** What stands one below the other. */
export type Block =
  /** A heading of this depth, its anchor, if any, its words, and these as plain text. */
  | ["h", 1 | 2 | 3, string | null, Inline[], string]
  | ["p", string | null, Inline[]]
  | ["ol" | "ul", Block[][]]
  /** The head is null where it says nothing. */
  | ["table", Cell[] | null, Cell[][]]
  | ["pre", string]
  | ["quote", Block[]]
  /** Words by themselves, as in a list. */
  | ["text", Inline[]];
