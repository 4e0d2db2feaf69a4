// Cards move from where they were to where they are: the page is drawn anew, and the difference is animated.

const DURATION = 180;
/** Between one card dealt and the next. */
const STAGGER = 35;
const EASING = "cubic-bezier(.2,.7,.3,1)";

export type Places = ReadonlyMap<string, DOMRect>;

/** Where every card on the page is now. */
export function places(root: HTMLElement): Places {
  const found = new Map<string, DOMRect>();
  for (const element of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const place = element.getBoundingClientRect();
    if (place.width > 0) found.set(element.dataset.card ?? "", place); // else it is not shown, and comes from nowhere
  }
  return found;
}

/** Let the cards glide from their old places; those that had none come in one after the other. */
export function glide(root: HTMLElement, before: Places): void {
  if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  let coming = 0;
  for (const element of root.querySelectorAll<HTMLElement>("[data-card]")) {
    const old = before.get(element.dataset.card ?? "");
    const now = element.getBoundingClientRect();
    if (now.width === 0) continue;
    const frames = old ? moved(old, now) : [{ opacity: 0, translate: "0 -14px", scale: "0.94" }, {}];
    if (!frames) continue;
    const delay = old ? 0 : STAGGER * Math.min(coming++, 5);
    const moving = element.animate(frames, { duration: DURATION, easing: EASING, delay, fill: "backwards" });
    if (!old) continue;
    // Above the cards it passes. Not a part of the frames: those the browser then moves by itself.
    element.style.zIndex = "5";
    moving.onfinish = moving.oncancel = () => {
      element.style.zIndex = "";
    };
  }
}

function moved(old: DOMRect, now: DOMRect): Keyframe[] | null {
  const x = old.left + old.width / 2 - now.left - now.width / 2;
  const y = old.top + old.height / 2 - now.top - now.height / 2;
  const grown = old.width / now.width;
  if (Math.abs(x) < 1 && Math.abs(y) < 1 && Math.abs(grown - 1) < 0.02) return null;
  return [
    { translate: `${x}px ${y}px`, scale: String(grown) },
    { translate: "0 0", scale: "1" },
  ];
}
