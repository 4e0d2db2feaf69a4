// Which language is spoken, and the words of it. A language is one file in ../languages, named by its code, and one in
// ../languages/apart with what is said where few look.
import type { Apart } from "../languages/apart/ru-apart";
import type { Messages } from "../languages/ru";
import { remember, remembered } from "../remember";

const files = import.meta.glob<Messages>("../languages/*.ts", { import: "messages" });
const apart = import.meta.glob<Apart>("../languages/apart/*.ts", { import: "apart" });
const codeOf = (path: string): string => /([a-z-]+)\.ts$/.exec(path)?.[1] ?? "";

/** The codes of the languages spoken here. */
export const LOCALES: readonly string[] = Object.keys(files).map(codeOf).sort();

const known = (text: string | null): string | null => LOCALES.find((locale) => locale === text) ?? null;

/** The remembered choice, else the first of the browser's languages that is spoken here, else English. */
function initial(): string {
  const wished = navigator.languages.map((language) => known(language.split("-")[0] ?? null));
  return known(remembered("locale")) ?? wished.find((locale) => locale !== null) ?? "en";
}

/** What a language calls itself. */
export function nameOf(locale: string): string {
  const name = new Intl.DisplayNames(locale, { type: "language" }).of(locale) ?? locale;
  return name.charAt(0).toLocaleUpperCase(locale) + name.slice(1);
}

class Speech {
  #locale = $state(initial());
  #messages = $state.raw<Messages | null>(null);
  #apart = $state.raw<Apart | null>(null);
  #wanted = false;

  get locale(): string {
    return this.#locale;
  }

  /** The language as it is spoken where the reader is, if his browser tells: dates and times are written by it. */
  get region(): string {
    return navigator.languages.find((language) => language.split("-")[0] === this.#locale) ?? this.#locale;
  }

  /** The words; they have to be loaded before anything is shown. */
  get t(): Messages {
    return this.#messages as Messages;
  }

  /** Whether the words that stand apart are here. */
  get hasApart(): boolean {
    return this.#apart !== null;
  }

  /** The words that stand apart; they have to be loaded before anything is shown that says them. */
  get apart(): Apart {
    return this.#apart as Apart;
  }

  /** Fetch the words that stand apart, and keep them in the language that is spoken. Rejects where they cannot be had. */
  async loadApart(): Promise<void> {
    this.#wanted = true;
    if (this.#apart === null) await this.#speak(this.#locale);
  }

  /** Fetch the words of the language chosen last. Rejects where they cannot be had. */
  load(): Promise<void> {
    return this.#speak(this.#locale);
  }

  /** Speak another language once its words are here; where they cannot be had, the old one stays. */
  async choose(locale: string): Promise<void> {
    await this.#speak(locale);
    remember("locale", locale);
  }

  async #speak(locale: string): Promise<void> {
    const [messages, words] = await Promise.all([
      files[`../languages/${locale}.ts`]?.(),
      this.#wanted ? apart[`../languages/apart/${locale}-apart.ts`]?.() : null,
    ]);
    if (!messages || words === undefined) throw Error(locale);
    this.#apart = words;
    this.#messages = messages;
    this.#locale = locale;
  }

  /** Money, given in the currency's smallest unit. */
  money(amount: number): string {
    const whole = amount % 100 === 0;
    return new Intl.NumberFormat(this.locale, {
      style: "currency",
      currency: "RUB",
      currencyDisplay: "narrowSymbol",
      minimumFractionDigits: whole ? 0 : 2,
      maximumFractionDigits: whole ? 0 : 2,
    })
      .format(amount / 100)
      .replace("-", "−");
  }
}

export const speech = new Speech();
