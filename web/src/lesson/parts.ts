import type { Snippet } from "svelte";

import type { Session } from "../state.svelte";

/** What the table's screen has of the lesson's own. */
export interface LessonParts {
  /** Before the cards in hand and, at the showdown, before its lines. */
  coach: Snippet<[Session]>;
  /** Instead of the menu. */
  skip: Snippet<[Session]>;
  /** Instead of what is asked when a hand is over. */
  after: Snippet<[Session]>;
  /** Whether something of it has to be taken back first. */
  wrong: (session: Session) => boolean;
  /** Whether a street may be confirmed as it lies; who asks for what may not be is told so once more. */
  allows: (session: Session) => boolean;
  leave: () => void;
}
