// Which language is spoken, and the words of it.
import { remember, remembered } from "../remember";
import { en } from "./en";
import { ru, type Messages } from "./ru";

export const LOCALES = { ru, en } as const satisfies Record<string, Messages>;
export type Locale = keyof typeof LOCALES;

const known = (text: string | null): Locale | null => (text === "ru" || text === "en" ? text : null);

/** The remembered choice, else the first of the browser's languages that is spoken here, else English. */
function initial(): Locale {
  const wished = navigator.languages.map((language) => known(language.slice(0, 2)));
  return known(remembered("locale")) ?? wished.find((locale) => locale !== null) ?? "en";
}

class Speech {
  locale = $state<Locale>(initial());

  get t(): Messages {
    return LOCALES[this.locale];
  }

  choose(locale: Locale): void {
    this.locale = locale;
    remember("locale", locale);
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
