// Whether one is new here.
import { remember, remembered } from "../remember";

const LESSON = "lesson";
const MET = "met";

/** Whether one has neither played from here nor seen the lesson, nor said that one needs none. */
export const isNewcomer = (): boolean => remembered(LESSON) === null && remembered(MET) === null;

export function skipLesson(): void {
  remember(LESSON, "skipped");
}

/** One has been at a table. */
export function hasPlayed(): void {
  remember(MET, "yes");
}
