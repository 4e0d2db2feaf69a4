// The room's bots, from the beginner to the strongest. Their names are written alike in every language.
import type { SeatBot, TableView } from "../protocol";
import { remember, remembered } from "../remember";

export type BotName = NonNullable<SeatBot["bot"]>;

export const BOTS: readonly BotName[] = ["kiwi", "mango", "papaya", "ananas"];
export const isBot = (name: unknown): name is BotName => BOTS.some((bot) => bot === name);

/** What it is called at a table. */
export const nameOf = (bot: BotName): string => bot.charAt(0).toUpperCase() + bot.slice(1);
/** From 1, the weakest, to as many as there are. */
export const strength = (bot: BotName): number => BOTS.indexOf(bot) + 1;

/** Those that have no seat at this table yet. */
export const waiting = ({ seats }: Pick<TableView, "seats">): BotName[] =>
  BOTS.filter((bot) => !seats.some((sitter) => sitter?.bot && sitter.name === nameOf(bot)));

/** Choose one, or no longer: where there is room for no more, it takes the place of the one chosen first. */
export function toggled(chosen: readonly BotName[], bot: BotName, most: number): BotName[] {
  if (chosen.includes(bot)) return chosen.filter((other) => other !== bot);
  return [...chosen, bot].slice(-most);
}

const PRACTICE = "practice";

/** Whom one plays when one plays at once: as it was chosen last, else the one that is beaten most easily. */
export function practiceBot(): BotName {
  const last = remembered(PRACTICE);
  return isBot(last) ? last : "kiwi";
}

export function keepPracticeBot(bot: BotName): void {
  remember(PRACTICE, bot);
}
