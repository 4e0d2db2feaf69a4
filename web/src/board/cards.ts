// Cards and placements as text: what a card shows, and `top/middle/bottom xdiscards` both ways.
import type { Board, Card } from "../protocol";

export type Suit = "s" | "h" | "d" | "c";

export const suitOf = (card: Card): Suit => card.charAt(1) as Suit;
export const faceOf = (card: Card): string => (card.startsWith("T") ? "10" : card.charAt(0));

export const EMPTY: Board = { top: [], middle: [], bottom: [] };

export interface Placement extends Board {
  discards: Card[];
}

const printRow = (cards: readonly Card[]): string => cards.join("") || "-";
const parseRow = (text = ""): Card[] => (text === "-" ? [] : (text.match(/../g) ?? [])) as Card[];

export function printPlacement({ top, middle, bottom, discards }: Placement): string {
  const rows = [top, middle, bottom].map(printRow).join("/");
  return discards.length > 0 ? `${rows} x${discards.join("")}` : rows;
}

export function parsePlacement(text: string): Placement {
  const [rows = "", thrown = ""] = text.split(" ");
  const [top, middle, bottom] = rows.split("/");
  return {
    top: parseRow(top),
    middle: parseRow(middle),
    bottom: parseRow(bottom),
    discards: parseRow(thrown.slice(1)),
  };
}

export const cardsOf = ({ top, middle, bottom }: Board): Card[] => [...top, ...middle, ...bottom];

const DECK = Array.from("23456789TJQKA", (rank) => Array.from("shdc", (suit) => (rank + suit) as Card)).flat();
/** The rest of the deck. */
export const otherCards = (cards: readonly Card[]): Card[] => DECK.filter((card) => !cards.includes(card));
