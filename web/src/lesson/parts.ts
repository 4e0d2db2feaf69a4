import type { Snippet } from "svelte";

import type { Session } from "../state.svelte";

/** What the table's screen has of the lesson's own. */
export interface LessonParts {
  /** Before the cards in hand and, at the showdown, before its lines. */
  coach: Snippet<[Session]>;
  /** Instead of the menu. */
  skip: Snippet;
  /** Instead of what is asked when a hand is over. */
  after: Snippet<[Session]>;
  /** Whether a street may be confirmed as it lies. */
  allows: (session: Session) => boolean;
  leave: () => void;
}
