import { beforeEach, expect, test, vi } from "vitest";

import { glide, places } from "./motion";

type Box = Pick<DOMRect, "left" | "top" | "width" | "height">;
const HIDDEN: Box = { left: 0, top: 0, width: 0, height: 0 };
const SMALL: Box = { left: 10, top: 10, width: 20, height: 26 };
const LARGE: Box = { left: 200, top: 300, width: 60, height: 76 };

const animate = vi.fn((frames: Keyframe[]) => ({ frames, onfinish: null, oncancel: null }));
beforeEach(() => {
  animate.mockClear();
  vi.stubGlobal("matchMedia", () => ({ matches: false }));
});

/** A page with one card on it. */
function page(box: Box): HTMLElement {
  const card = { dataset: { card: "Qs" }, style: {}, getBoundingClientRect: () => box, animate };
  return { querySelectorAll: () => [card] } as unknown as HTMLElement;
}

test.each([
  ["grows", SMALL, LARGE, true],
  ["shrinks", LARGE, SMALL, true],
  ["stays", LARGE, LARGE, false],
  ["was not shown before", HIDDEN, LARGE, true],
  ["is not shown any more", LARGE, HIDDEN, false],
  ["is shown neither before nor now", HIDDEN, HIDDEN, false],
] as const)("a card that %s moves by numbers that can be drawn", (_, before, now, moves) => {
  glide(page(now), places(page(before)));
  expect(animate).toHaveBeenCalledTimes(moves ? 1 : 0);
  for (const [frames] of animate.mock.calls) {
    for (const { scale } of frames) if (scale !== undefined) expect(Number(scale)).toBeGreaterThan(0);
    expect(JSON.stringify(frames)).not.toMatch(/NaN|Infinity/);
  }
});
