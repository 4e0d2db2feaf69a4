// Numbers as both languages write them.

/** Points with their sign: a true minus, and a plain zero. */
export const signed = (points: number): string => (points > 0 ? `+${points}` : minus(points));

/** A number with a true minus. */
export const minus = (number: number): string => (number < 0 ? `−${-number}` : String(number));

/** Time left as `1:05`, rounded up, so that `0:00` means it is over. */
export function clock(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Picks the form a number wants and writes the number for its #; a language leaves out the forms it does not have. */
export function plurals(locale: string): (n: number, forms: Partial<Record<Intl.LDMLPluralRule, string>>) => string {
  const rules = new Intl.PluralRules(locale);
  return (n, forms) => (forms[rules.select(n)] ?? forms.other ?? "").replace("#", String(n));
}
