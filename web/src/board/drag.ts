// Cards dragged by finger, pen or mouse: from the tray to a row, from row to row, and back to the tray.
// A short press stays a tap; every drag can be done by taps and keys as well.
import type { Card } from "../protocol";
import { ROWS, type Row } from "../rules/rows";

/** How far a pointer travels before a press becomes a drag. */
const SLACK = 6;
const GLIDE = 150;

export interface Drops {
  /** Whether a card may be laid on a row: only such a row is lit, and takes it. */
  fits(card: Card, row: Row): boolean;
  lay(card: Card, row: Row): void;
  take(card: Card): void;
}

/** Where something stands, on the page and not in the window: it may be scrolled meanwhile. */
interface Place {
  element: HTMLElement;
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Held {
  card: HTMLElement;
  pointer: number;
  x: number;
  y: number;
  /** Where the card can go, looked up once when it is lifted; null before that. */
  goals: readonly Place[] | null;
}

function placesOf(root: HTMLElement, selector: string): Place[] {
  return [...root.querySelectorAll<HTMLElement>(selector)].map((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return {
      element,
      left: left + scrollX,
      top: top + scrollY,
      right: right + scrollX,
      bottom: bottom + scrollY,
    };
  });
}

/** Make the cards in `root` that bear `data-drag` draggable; returns how to stop that. */
export function drag(root: HTMLElement, drops: Drops): () => void {
  let held: Held | null = null;
  /** A pointer whose drag was given up while it is still down. */
  let idle: number | null = null;
  let lit: HTMLElement | null = null;

  const nameOf = (card: HTMLElement): Card => card.dataset.card as Card;
  /** The row or the tray a pointer is over. */
  const goalAt = ({ pageX: x, pageY: y }: PointerEvent): HTMLElement | null =>
    held?.goals?.find(({ left, top, right, bottom }) => left <= x && x < right && top <= y && y < bottom)?.element ??
    null;
  const rowOf = (goal: HTMLElement | null): Row | undefined => ROWS.find((known) => known === goal?.dataset.row);
  function light(row: HTMLElement | null): void {
    if (lit === row) return;
    lit?.classList.remove("over");
    row?.classList.add("over");
    lit = row;
  }

  function down(event: PointerEvent): void {
    // A second finger changes nothing; but a press whose end was never heard of is over.
    if (event.button !== 0 || (held && held.pointer !== event.pointerId)) return;
    end();
    idle = null;
    const card = (event.target as Element).closest<HTMLElement>("[data-drag]");
    if (card) held = { card, pointer: event.pointerId, x: event.pageX, y: event.pageY, goals: null };
  }

  function move(event: PointerEvent): void {
    if (event.pointerId !== held?.pointer) return;
    // Laid by the clock, or by another window, while it was carried.
    if (!held.card.isConnected) {
      end();
      return;
    }
    const [x, y] = [event.pageX - held.x, event.pageY - held.y];
    if (held.goals === null) {
      if (Math.hypot(x, y) < SLACK) return;
      held.goals = placesOf(root, ".own [data-row], [data-tray]");
      held.card.setPointerCapture(held.pointer);
      held.card.classList.add("dragging");
    }
    held.card.style.translate = `${x}px ${y}px`;
    const goal = goalAt(event);
    const row = rowOf(goal);
    light(row && drops.fits(nameOf(held.card), row) ? goal : null);
  }

  function up(event: PointerEvent): void {
    if (event.pointerId === idle) swallowClick();
    idle = null;
    if (event.pointerId !== held?.pointer) return;
    if (held.goals !== null) {
      swallowClick();
      const [card, goal] = [nameOf(held.card), goalAt(event)];
      const row = rowOf(goal);
      if (row) drops.lay(card, row);
      else if (goal) drops.take(card);
    }
    end();
  }

  /** Let go of what is held, wherever it is. */
  function end(): void {
    light(null);
    if (held?.goals) {
      const { card } = held;
      queueMicrotask(() => {
        settle(card);
      });
    }
    held = null;
  }

  function cancel(event: PointerEvent): void {
    idle = null;
    if (event.pointerId === held?.pointer) end();
  }

  function key(event: KeyboardEvent): void {
    if (event.key !== "Escape" || !held?.goals) return;
    // Only the drag is given up, not the street; and the finger that is still down is no tap.
    event.stopPropagation();
    event.preventDefault();
    if (held.card.hasPointerCapture(held.pointer)) held.card.releasePointerCapture(held.pointer);
    idle = held.pointer;
    end();
  }

  /** A finger that rests on a card means the card, not a menu of the browser's. */
  function menu(event: Event): void {
    if (held) event.preventDefault();
  }

  root.addEventListener("pointerdown", down);
  root.addEventListener("contextmenu", menu);
  addEventListener("pointermove", move);
  addEventListener("pointerup", up);
  addEventListener("pointercancel", cancel);
  addEventListener("keydown", key, { capture: true });
  return () => {
    end();
    root.removeEventListener("pointerdown", down);
    root.removeEventListener("contextmenu", menu);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", up);
    removeEventListener("pointercancel", cancel);
    removeEventListener("keydown", key, { capture: true });
  };
}

/** Put a card down where it belongs, after the page has looked where it was: from there it glides to its place. */
function settle(card: HTMLElement): void {
  const from = card.style.translate;
  card.classList.remove("dragging");
  card.style.translate = "";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (card.isConnected && !still) card.animate([{ translate: from }, { translate: "0 0" }], GLIDE);
}

/** The click that ends a drag is no tap. */
function swallowClick(): void {
  addEventListener("click", swallow, { capture: true, once: true });
  setTimeout(() => {
    removeEventListener("click", swallow, { capture: true });
  });
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
