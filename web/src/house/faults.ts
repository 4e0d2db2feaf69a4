// What cannot be played, each rule alone and all together: the reader hears of it while he fills in the form. The room
// checks the same and has the last word.
import { CHOICES, DECK, FIELDS, isChoice, LIMITS, mattering, NOT_YET, ROYALTY_TABLES, SETS } from "./values";
import type { Base, Field, Values } from "./values";

const PLACES = 13;
const MOST_STREETS = 9;
const STAYS = ["top-trips", "middle-full-house", "middle-quads", "bottom-quads"];
const LISTED = [13, 13, 7, 7];

export type Why =
  /** Not a whole number from `least` to `most`, or not all of `several` are. */
  | { is: "range"; least: number; most: number; several: boolean }
  | { is: "no-value" }
  | { is: "order" }
  | { is: "streets"; most: number }
  | { is: "as-many"; dealt: number; laid: number }
  | { is: "full"; laid: number; places: number }
  | { is: "over"; street: number; dealt: number; laid: number }
  | { is: "deck"; seats: number; cards: number; deck: number; most: number };

export interface Fault {
  /** The rules that cannot be played together; the first is the one the room names. */
  fields: readonly Field[];
  why: Why;
}

/** The numbers in a text; NaN for anything else. */
const numbersIn = (text: string, separator = ","): number[] =>
  text.split(separator).map((part) => (/^\d{1,10}$/.test(part) ? Number(part) : NaN));
const sum = (numbers: readonly number[]): number => numbers.reduce((all, number) => all + number, 0);

/** Whether a number is outside what the field may hold. */
export function outside(field: Field, text: string): boolean {
  const [least = -Infinity, most = Infinity] = LIMITS[field] ?? [];
  return !numbersIn(text).every((number) => least <= number && number <= most);
}

/** What is wrong with a rule, whatever the others are. */
function alone(field: Field, text: string): Why | null {
  if (isChoice(field)) return CHOICES[field].includes(text) && NOT_YET[field] !== text ? null : { is: "no-value" };
  const [least = 0, most = Infinity] = LIMITS[field] ?? [];
  const wrongNumber = text.includes(",") || outside(field, text);
  const range = (several: boolean): Why => ({ is: "range", least, most, several });
  switch (field) {
    case "seats":
    case "buy_in": {
      const ends = text.split("-");
      if (ends.length > 2 || ends.some((end) => outside(field, end))) return range(true);
      return Number(ends[0]) <= Number(ends.at(-1)) ? null : { is: "order" };
    }
    case "deal":
    case "place":
      if (outside(field, text)) return range(true);
      return field === "deal" && numbersIn(text).length > MOST_STREETS ? { is: "streets", most: MOST_STREETS } : null;
    case "fantasyland_cards":
      return outside(field, text) || ![1, 4].includes(numbersIn(text).length) ? range(true) : null;
    case "fantasyland_stay": {
      const stays = text.split(",");
      const known = text === "none" || stays.every((stay) => STAYS.includes(stay));
      return known && new Set(stays).size === stays.length ? null : { is: "no-value" };
    }
    case "fantasyland_repeats":
      return text !== "unlimited" && wrongNumber ? range(false) : null;
    case "royalty_table": {
      if (text in ROYALTY_TABLES) return null;
      const lists = text.split("/");
      const lengths = lists.map((list) => numbersIn(list).length);
      return String(lengths) !== String(LISTED) || lists.some((list) => outside(field, list)) ? range(true) : null;
    }
    default:
      return wrongNumber ? range(false) : null;
  }
}

/** All that is wrong, in the order the room looks for it. */
export function faultsOf(values: Values): Fault[] {
  const found: Fault[] = [];
  for (const field of FIELDS) {
    const why = alone(field, values[field]);
    if (why !== null) found.push({ fields: [field], why });
  }
  const fine = (...fields: Field[]): boolean => !found.some((fault) => fields.includes(fault.fields[0] ?? "seats"));

  const [deal, place] = [numbersIn(values.deal), numbersIn(values.place)];
  if (fine("deal", "place")) {
    const [dealt, laid] = [deal.length, place.length];
    const over = place.findIndex((cards, street) => cards > (deal[street] ?? 0));
    if (dealt !== laid) found.push({ fields: ["place", "deal"], why: { is: "as-many", dealt, laid } });
    else if (sum(place) !== PLACES)
      found.push({ fields: ["place"], why: { is: "full", laid: sum(place), places: PLACES } });
    else if (over >= 0)
      found.push({
        fields: ["place", "deal"],
        why: { is: "over", street: over + 1, dealt: deal[over] ?? 0, laid: place[over] ?? 0 },
      });
  }

  const dealt: [Field, number][] = [["deal", sum(deal)]];
  if (values.fantasyland === "on") {
    dealt.push(["fantasyland_cards", Math.max(...numbersIn(values.fantasyland_cards))]);
    dealt.push(["fantasyland_stay_cards", Number(values.fantasyland_stay_cards)]);
  }
  const cards = Math.max(...dealt.map(([, many]) => many));
  const seats = Number(values.seats.split("-").at(-1));
  if (fine("seats", ...dealt.map(([field]) => field)) && seats * cards > DECK) {
    const most = Math.floor(DECK / seats);
    const heavy = dealt.filter(([, many]) => many > most).map(([field]) => field);
    found.push({ fields: ["seats", ...heavy], why: { is: "deck", seats, cards, deck: DECK, most } });
  }
  return found;
}

/** What is wrong, each at one rule: at the one of its rules that was `changed` last. */
export function marksOf(faults: readonly Fault[], changed: readonly Field[]): Map<Field, Why> {
  const marks = new Map<Field, Why>();
  for (const { fields, why } of faults) {
    const [first = "seats"] = fields;
    const at = changed.findLast((field) => fields.includes(field)) ?? first;
    if (!marks.has(at)) marks.set(at, why);
  }
  return marks;
}

/**
 * What of the rules of one's own can be played with a named set, and what has to wait for another set. What cannot be
 * played with any stays, to be mended.
 */
export function fitting(own: Partial<Values>, base: Base): { own: Partial<Values>; aside: Partial<Values> } {
  const waits = new Set<string>();
  const part = (waiting: boolean): Partial<Values> =>
    Object.fromEntries(Object.entries(own).filter(([field]) => waits.has(field) === waiting));
  for (;;) {
    const fits = part(false);
    const together = faultsOf(mattering({ ...SETS[base], ...fits }, base)).filter(({ fields }) => fields.length > 1);
    const blamed = together.flatMap(({ fields }) => fields).filter((field) => field in fits);
    if (blamed.length === 0) return { own: fits, aside: part(true) };
    for (const field of blamed) waits.add(field);
  }
}
