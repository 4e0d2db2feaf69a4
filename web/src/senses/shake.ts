// What can be felt, in phones that can do it.
import type { Happening } from "./happenings";
import { touchedOnce } from "./touched";

const PATTERNS: Record<Happening, number[]> = {
  turn: [70],
  hurry: [60, 90, 60, 90, 60],
  fantasy: [40, 60, 40, 60, 140],
  showdown: [],
};

/** Whether there is something that can shake: browsers on desks say they can, and cannot. */
export const canShake = (): boolean => "vibrate" in navigator && matchMedia("(any-pointer: coarse)").matches;

export function shake(happening: Happening): void {
  // Before the first touch it is refused, and said so in the console.
  if (canShake() && touchedOnce()) navigator.vibrate(PATTERNS[happening]);
}
