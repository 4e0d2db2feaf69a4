// Finished hands as they are listed: match by match, each under the day on which it is the first.
import type { HandSummary } from "../protocol";
import { dayOf } from "./times";

export interface Group {
  match: number;
  /** Null where it is the same as of the match above. */
  day: string | null;
  hands: HandSummary[];
}

/** The matches, the last one first; `hands` are in that order too. */
export function groupsOf(hands: readonly HandSummary[], locale: string, now = Date.now()): Group[] {
  const groups: Group[] = [];
  let above: string | null = null;
  for (const hand of hands) {
    const last = groups.at(-1);
    if (last?.match === hand.match) {
      last.hands.push(hand);
      continue;
    }
    const day = dayOf(hand.at, locale, now);
    groups.push({ match: hand.match, day: day === above ? null : day, hands: [hand] });
    above = day;
  }
  return groups;
}
