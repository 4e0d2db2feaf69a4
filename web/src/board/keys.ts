// What a key does to the street being laid. Keys are known by their place on the board, not by the letter on them, so that
// they are the same on a Russian keyboard.
import type { Row } from "../rules/rows";
import { inTray, isLong, isWorthSorting, put, reset, select, step, take, undo, type Laying } from "./laying";

const ROWS: Partial<Record<string, Row>> = {
  KeyQ: "top",
  KeyA: "middle",
  KeyZ: "bottom",
  ArrowUp: "top",
  ArrowLeft: "middle",
  ArrowRight: "middle",
  ArrowDown: "bottom",
};

/** A change of the street, or what somebody else has to do; null for a key that means nothing here. */
export type Stroke = ((laying: Laying) => Laying) | "sort" | "confirm" | null;

export function stroke({ code, key }: Pick<KeyboardEvent, "code" | "key">, laying: Laying): Stroke {
  // A whole board is more than ten keys can name: there arrows walk along the cards in hand.
  if (isLong(laying) && code === "ArrowLeft") return (now) => step(now, -1);
  if (isLong(laying) && code === "ArrowRight") return (now) => step(now, 1);
  if (code === "KeyS") return isWorthSorting(laying) ? "sort" : null;
  const row = ROWS[code];
  if (row) return (now) => (now.selected ? put(now, now.selected, row) : now);
  const place = /^(?:Digit|Numpad)([0-9])$/.exec(code)?.[1];
  if (place !== undefined) {
    const card = inTray(laying)[(Number(place) + 9) % 10];
    // The place of a card that is laid calls it back.
    return card ? (now) => (now.down.some((laid) => laid.card === card) ? take(now, card) : select(now, card)) : null;
  }
  if (key === "Backspace") return undo;
  if (key === "Escape") return reset;
  return key === "Enter" ? "confirm" : null;
}
