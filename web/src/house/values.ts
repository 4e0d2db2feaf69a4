// Rules of a table as text by name, the spelling that forms, links and hand files share.
import type { RuleSet } from "../protocol";
import known from "./sets.json";

export type Field = keyof typeof known.sets.room;
export type Values = Record<Field, string>;
export type Base = keyof typeof known.sets;
export type Choice = keyof typeof known.choices;

export const SETS: Record<Base, Values> = known.sets;
export const BASES = Object.keys(SETS) as Base[];
export const FIELDS = Object.keys(SETS.room) as Field[];
export const CHOICES: Record<Choice, readonly string[]> = known.choices;
export const ROYALTY_TABLES: Record<string, string> = known.royalty_tables;
/** The least and the most of each number that a field holds. */
export const LIMITS: Partial<Record<Field, readonly number[]>> = known.limits;
/** What the rules may say one day, and may not say yet. */
export const NOT_YET: Partial<Record<Field, string>> = known.not_yet;
export const DECK = 52;

export const isChoice = (field: Field): field is Choice => field in CHOICES;
/** What can be chosen for a rule today. */
export const choicesOf = (field: Choice): readonly string[] =>
  CHOICES[field].filter((choice) => choice !== NOT_YET[field]);
/** Whether there is anything to choose. */
export const isOffered = (field: Field): boolean => !isChoice(field) || choicesOf(field).length > 1;

/** Four lists of royalties, or the name of the table that has the same. */
export const namedTable = (lists: string): string =>
  Object.entries(ROYALTY_TABLES).find(([, text]) => text === lists)?.[0] ?? lists;

/** The rules as the room prints them. */
export function valuesOf(rules: RuleSet): Values {
  const { pairs, trips, middle, bottom } = rules.royalty_table;
  const lists = [pairs, trips, middle, bottom].map(String).join("/");
  const [lowest] = rules.fantasyland_cards;
  const text = (value: string | number | readonly (string | number)[]): string => value.toString();
  const values = Object.fromEntries(
    FIELDS.map((field) => [field, field === "royalty_table" ? lists : text(rules[field])]),
  ) as Values;
  return {
    ...values,
    seats: rules.seats.join("-"),
    buy_in: rules.buy_in.join("-"),
    fantasyland_cards: rules.fantasyland_cards.every((cards) => cards === lowest)
      ? String(lowest)
      : values.fantasyland_cards,
    fantasyland_stay: values.fantasyland_stay || "none",
    royalty_table: namedTable(lists),
  };
}

/** The fields in which rules differ from a named set, in the order the rules are told. */
export const changed = (values: Values, base: Base): Field[] =>
  FIELDS.filter((field) => values[field] !== SETS[base][field]);

/** How many can sit down so that one deck is enough, whatever comes; the room has the last word. */
export function mostSeats(values: Values): number {
  const sum = (text: string): number => text.split(",").reduce((all, cards) => all + Number(cards), 0);
  const fantasyland = values.fantasyland === "on" ? [values.fantasyland_stay_cards, values.fantasyland_cards] : [];
  const most = Math.max(sum(values.deal), ...fantasyland.flatMap((text) => text.split(",").map(Number)));
  return Math.min(4, Math.floor(DECK / most)) || 4;
}

/** Fields that say nothing where there is no Fantasyland. */
const OF_FANTASYLAND: readonly Field[] = [
  "fantasyland_cards",
  "fantasyland_entry",
  "fantasyland_stay",
  "fantasyland_stay_cards",
  "fantasyland_repeats",
  "fantasyland_timing",
  "button_in_fantasyland",
];

/** Whether the field matters by these rules. */
export const matters = (field: Field, values: Values): boolean =>
  !(values.fantasyland === "off" && OF_FANTASYLAND.includes(field)) &&
  !(values.royalties === "none" && field === "royalty_table");

/** The rules with what does not matter left as in the set. */
export const mattering = (values: Values, base: Base): Values =>
  Object.fromEntries(
    FIELDS.map((field) => [field, matters(field, values) ? values[field] : SETS[base][field]]),
  ) as Values;
