// Cards dragged by finger, pen or mouse: from the tray to a row, from row to row, and back to the tray.
// A short press stays a tap; every drag can be done by taps and keys as well.
import type { Card } from "../protocol";
import { ROWS, type Row } from "../rules/rows";

/** How far a pointer travels before a press becomes a drag. */
const SLACK = 6;

export interface Drops {
  lay(card: Card, row: Row): void;
  take(card: Card): void;
}

/** Make the cards in `root` that bear `data-drag` draggable; returns how to stop that. */
export function drag(root: HTMLElement, drops: Drops): () => void {
  let held: { card: HTMLElement; pointer: number; x: number; y: number; moving: boolean } | null = null;

  const under = (event: PointerEvent): Element | null => document.elementFromPoint(event.clientX, event.clientY);
  const rowUnder = (event: PointerEvent): HTMLElement | null =>
    under(event)?.closest<HTMLElement>(".own [data-row]") ?? null;
  const light = (lit: HTMLElement | null): void => {
    for (const row of root.querySelectorAll(".over")) if (row !== lit) row.classList.remove("over");
    lit?.classList.add("over");
  };

  function down(event: PointerEvent): void {
    const card = (event.target as Element).closest<HTMLElement>("[data-drag]");
    if (card === null || event.button !== 0 || held) return;
    held = { card, pointer: event.pointerId, x: event.clientX, y: event.clientY, moving: false };
  }

  function move(event: PointerEvent): void {
    if (event.pointerId !== held?.pointer) return;
    const [x, y] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.moving) {
      if (Math.hypot(x, y) < SLACK) return;
      held.moving = true;
      held.card.setPointerCapture(held.pointer);
      held.card.classList.add("dragging");
    }
    held.card.style.translate = `${x}px ${y}px`;
    light(rowUnder(event));
  }

  function up(event: PointerEvent): void {
    if (event.pointerId !== held?.pointer) return;
    const { card, moving } = held;
    if (moving && event.type === "pointerup") {
      // The click that ends a drag is no tap.
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => {
        removeEventListener("click", swallow, { capture: true });
      });
      const name = card.dataset.card as Card;
      const row = ROWS.find((known) => known === rowUnder(event)?.dataset.row);
      if (row) drops.lay(name, row);
      else if (under(event)?.closest("[data-tray]")) drops.take(name);
    }
    light(null);
    held = null;
    if (moving)
      queueMicrotask(() => {
        settle(card);
      });
  }

  root.addEventListener("pointerdown", down);
  root.addEventListener("pointermove", move);
  root.addEventListener("pointerup", up);
  root.addEventListener("pointercancel", up);
  return () => {
    root.removeEventListener("pointerdown", down);
    root.removeEventListener("pointermove", move);
    root.removeEventListener("pointerup", up);
    root.removeEventListener("pointercancel", up);
  };
}

/** Put a card down where it belongs, after the page has looked where it was: from there it glides to its place. */
function settle(card: HTMLElement): void {
  const from = card.style.translate;
  card.classList.remove("dragging");
  card.style.translate = "";
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (card.isConnected && !still) card.animate([{ translate: from }, { translate: "0 0" }], 150);
}

function swallow(event: Event): void {
  event.stopPropagation();
  event.preventDefault();
}
