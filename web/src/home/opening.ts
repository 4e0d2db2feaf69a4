// How one opened a table last, so that the form begins there.
import { isBot, type BotName } from "../bots/bots";
import { chosenFrom, type Chosen } from "../house/picking.svelte";
import { remember, remembered } from "../remember";

const OPENING = "opening";
const MOST_BOTS = 3;
/** Who came to a table for which bots were only counted. */
const COUNTED: readonly BotName[] = ["papaya", "mango", "kiwi"];
const LONGEST_TITLE = 40;

/** How a table is opened; `title` is empty where it shall have the usual name. */
export interface Opening {
  rules: Chosen;
  /** In the order they were chosen in. */
  bots: readonly BotName[];
  title: string;
  public: boolean;
}

const FIRST: Opening = { rules: { base: "room", own: {} }, bots: [], title: "", public: false };

/** How a table was opened last, as far as that was written down and still makes sense. */
export function lastOpening(): Opening {
  let written: unknown;
  try {
    written = JSON.parse(remembered(OPENING) ?? "null");
  } catch {
    return FIRST;
  }
  if (typeof written !== "object" || written === null) return FIRST;
  const { rules, bots, title, public: shown } = written as Partial<Record<keyof Opening, unknown>>;
  return {
    rules: chosenFrom(rules) ?? FIRST.rules,
    bots: botsFrom(bots),
    title: typeof title === "string" ? title.slice(0, LONGEST_TITLE) : FIRST.title,
    public: shown === true,
  };
}

function botsFrom(written: unknown): readonly BotName[] {
  if (typeof written === "number") return COUNTED.slice(0, Math.max(written, 0));
  return Array.isArray(written) ? [...new Set(written.filter(isBot))].slice(0, MOST_BOTS) : FIRST.bots;
}

export function keepOpening(opening: Opening): void {
  remember(OPENING, JSON.stringify(opening));
}
