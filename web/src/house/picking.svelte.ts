// Rules as somebody puts them together: a named set, what is to differ from it, and what of it cannot be played.
import { speech } from "../i18n/index.svelte";
import type { RuleSet } from "../protocol";
import { faultsOf, fitting, marksOf } from "./faults";
import { BASES, changed, FIELDS, mattering, SETS, valuesOf, type Base, type Field, type Values } from "./values";

/** The dearest point that can be asked for, in whole units of the currency. */
export const DEAREST = 1_000_000;
const MINOR = 100;

/** A named set, and the rules that were set apart from it, the latest last. */
export interface Chosen {
  base: Base;
  own: Partial<Values>;
}

/** The rules of a table as a choice to go on from. */
export function chosenIn(rules: RuleSet): Chosen {
  const values = valuesOf(rules);
  const own = changed(values, rules.base).map((field): [Field, string] => [field, values[field]]);
  return { base: rules.base, own: Object.fromEntries(own) };
}

/** The same where people sit already: another set leaves the seats as they are, if it can be played with so many. */
export function chosenAt(rules: RuleSet): Chosen {
  const { base, own } = chosenIn(rules);
  return { base, own: { ...own, seats: valuesOf(rules).seats } };
}

/** A choice that was written down once, as far as its rules still exist; null where it is none. */
export function chosenFrom(written: unknown): Chosen | null {
  if (typeof written !== "object" || written === null || !("base" in written) || !("own" in written)) return null;
  const base = BASES.find((known) => known === written.base);
  if (base === undefined || typeof written.own !== "object" || written.own === null) return null;
  const own = Object.entries(written.own).filter(
    ([field, text]) => FIELDS.includes(field as Field) && typeof text === "string",
  );
  return { base, own: Object.fromEntries(own) };
}

export class Picking {
  #base = $state<Base>("room");
  #own = $state.raw<Partial<Values>>({});
  #aside = $state.raw<Partial<Values>>({});
  #before = $state<Base>("room");
  #refused = $state<Field | null>(null);
  #because = $state("");
  /** The price of a point in whole units of the currency; undefined while the field is empty. */
  price = $state<number | undefined>();

  constructor(from: Chosen = { base: "room", own: {} }) {
    const { point_price: price, ...own } = from.own;
    this.#base = this.#before = from.base;
    this.#own = own;
    this.price = Number(price ?? SETS[from.base].point_price) / MINOR;
  }

  /** The price that counts: the nearest that can be asked for. */
  readonly fair = $derived(Math.min(Math.max(this.price ?? 0, 0), DEAREST));
  readonly kopecks = $derived(Math.round(this.fair * MINOR));
  readonly values: Values = $derived(
    mattering({ ...SETS[this.#base], ...this.#own, point_price: String(this.kopecks) }, this.#base),
  );

  /** The name of the set, as the room wants it. */
  get rules(): Base {
    return this.#base;
  }

  /** What is to differ from the set, as the room wants it. */
  readonly set: Record<string, string> = $derived(
    Object.fromEntries(changed(this.values, this.#base).map((field) => [field, this.values[field]])),
  );

  /** What cannot be played, with the reason, at the rules where it is to be mended; empty where all can. */
  readonly wrong: ReadonlyMap<Field, string> = $derived.by(() => {
    const words = speech.apart.house;
    const marks = marksOf(faultsOf(this.values), Object.keys(this.#own) as Field[]);
    const found = [...marks].map(([at, why]): [Field, string] => [at, words.why(why)]);
    // It is made anew whenever it changes.
    // eslint-disable-next-line svelte/prefer-svelte-reactivity
    return new Map(this.#refused === null ? found : [...found, [this.#refused, this.#because || words.form.refused]]);
  });

  readonly seats: number = $derived(Number(this.values.seats.split("-")[1]));
  /** The least that may be brought, in chips. */
  readonly least: number = $derived(Number(this.values.buy_in.split("-")[0]));
  /** What has to wait for another set. */
  readonly waiting: readonly Field[] = $derived(FIELDS.filter((field) => field in this.#aside));

  /** The set before this one. */
  get before(): Base {
    return this.#before;
  }

  /** What is set for a rule that waits. */
  waits(field: Field): string {
    return this.#aside[field] ?? "";
  }

  /** The choice as it is to be written down. */
  get chosen(): Chosen {
    return { base: this.#base, own: { ...this.#own, point_price: String(this.kopecks) } };
  }

  choose(base: Base): void {
    this.#before = this.#base;
    this.#base = base;
    const { own, aside } = fitting({ ...this.#aside, ...this.#own }, base);
    this.#own = own;
    this.#aside = aside;
    this.#refused = null;
  }

  change(field: Field, text: string): void {
    this.restore(field);
    if (text !== SETS[this.#base][field]) this.#own = { ...this.#own, [field]: text };
  }

  /** A rule, or all of them, shall be as in the set. */
  restore(which?: Field): void {
    const left = (some: Partial<Values>): Partial<Values> =>
      Object.fromEntries(Object.entries(some).filter(([field]) => which !== undefined && field !== which));
    this.#own = left(this.#own);
    this.#aside = left(this.#aside);
    this.#refused = null;
  }

  seat(count: number): void {
    const [lowest = "2"] = this.values.seats.split("-");
    this.change("seats", `${String(Math.min(Number(lowest), count))}-${String(count)}`);
  }

  /**
   * The room did not take a rule: its name, as `bad-rule` tells it, and why, where that is known; gives whether it is one
   * of these rules.
   */
  refuse(name: string | number | undefined, because = ""): boolean {
    this.#because = because;
    this.#refused = FIELDS.find((field) => field === name) ?? null;
    return this.#refused !== null;
  }
}
