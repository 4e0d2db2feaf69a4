// Reads the rule book while the client is built, so that the reader of markdown need not be sent to anybody.
import { lexer, type Token, type Tokens } from "marked";
import type { Plugin } from "vite";

import type { Block, Cell, Inline, Setting } from "./src/pages/book";
import type { Card } from "./src/protocol";

const within = (token: Token): Token[] => ("tokens" in token ? (token.tokens ?? []) : []);

/** Whether a paragraph leads to another document: it is for those who read the book among the others. */
function leadsOut(token: Token): boolean {
  const links = within(token).filter(({ type }) => type === "link") as Tokens.Link[];
  return token.type === "paragraph" && links.some(({ href }) => !/^(?:#|https?:)/.test(href));
}

/** The number a chapter or a paragraph begins with, as its anchor. */
const numberOf = (text: string): string | null => /^(?:\*\*)?(\d+(?:\.\d+)*)\./.exec(text)?.[1] ?? null;
/** The anchor of a chapter: its number, or its words where it has none. */
const anchorOf = (heading: string): string => numberOf(heading) ?? heading.toLowerCase().replace(/[^\p{L}\d]+/gu, "-");
/** Cards written one after the other, or null for any other code. */
const cardsIn = (code: string): Card[] | null =>
  /^(?:[2-9TJQKA][shdc])+$/.test(code) ? ((code.match(/../g) ?? []) as Card[]) : null;

function settingOf(text: string): Setting {
  if (/^[\d\s,.+-]+$/.test(text) || text.length <= 12) return "line";
  return text.length > 60 ? "long" : text.length > 24 ? "sentence" : "";
}

/** Words that follow each other become one. */
const joined = (parts: readonly Inline[]): Inline[] =>
  parts.reduce<Inline[]>((all, part) => {
    const last = all.at(-1);
    return typeof part === "string" && typeof last === "string" ? [...all.slice(0, -1), last + part] : [...all, part];
  }, []);

const inline = (tokens: readonly Token[]): Inline[] =>
  joined(
    tokens.flatMap((token): Inline[] => {
      switch (token.type) {
        case "strong":
          return [["b", inline(within(token))]];
        case "em":
          return [["i", inline(within(token))]];
        case "codespan": {
          const { text } = token as Tokens.Codespan;
          const cards = cardsIn(text);
          return [cards ? ["cards", cards] : ["code", text]];
        }
        case "link": {
          const { href, tokens } = token as Tokens.Link;
          return href.startsWith("#") ? [["a", href, inline(tokens)]] : inline(tokens);
        }
        case "br":
          return [["br"]];
        default:
          return within(token).length > 0 ? inline(within(token)) : "text" in token ? [String(token.text)] : [];
      }
    }),
  );

const cell = ({ text, tokens }: Tokens.TableCell): Cell => [settingOf(text), inline(tokens)];

const blocks = (tokens: readonly Token[]): Block[] =>
  tokens.flatMap((token): Block[] => {
    switch (token.type) {
      case "heading": {
        const { depth, text, tokens } = token as Tokens.Heading;
        const of = depth === 1 ? 1 : depth === 2 ? 2 : 3;
        return [["h", of, of === 2 ? anchorOf(text) : null, inline(tokens), text]];
      }
      case "paragraph":
        return [["p", numberOf(token.raw), inline(within(token))]];
      case "list": {
        const { ordered, items } = token as Tokens.List;
        return [[ordered ? "ol" : "ul", items.map((item) => blocks(item.tokens))]];
      }
      case "table": {
        const { header, rows } = token as Tokens.Table;
        const head = header.some(({ text }) => text !== "") ? header.map(cell) : null;
        return [["table", head, rows.map((row) => row.map(cell))]];
      }
      case "code":
        return [["pre", (token as Tokens.Code).text]];
      case "blockquote":
        return [["quote", blocks(within(token))]];
      case "text":
        return [["text", inline(within(token).length > 0 ? within(token) : [token])]];
      default:
        return [];
    }
  });

/** A document as the page shows it. */
export const bookOf = (markdown: string): Block[] => blocks(lexer(markdown).filter((token) => !leadsOut(token)));

/** Lets a document be imported as `file.md?book`: the address of its blocks as JSON, an asset like a picture. */
export function book(): Plugin {
  let building = false;
  return {
    name: "book",
    enforce: "pre",
    configResolved({ command }) {
      building = command === "build";
    },
    transform(markdown, id) {
      if (!id.endsWith(".md?book")) return null;
      const source = JSON.stringify(bookOf(markdown));
      if (!building) return `export default ${JSON.stringify(`data:application/json,${encodeURIComponent(source)}`)}`;
      const name = `${/([\w.]+)\.md\?/.exec(id)?.[1] ?? "book"}.json`;
      const file = this.emitFile({ type: "asset", name, source });
      return `export default import.meta.ROLLUP_FILE_URL_${file}`;
    },
  };
}
