// When something was, in the reader's language and in his own zone.

type Options = Intl.DateTimeFormatOptions;

const known = new Map<string, Intl.DateTimeFormat>();

/** To make one is slow, and a long list wants the same one over and over. */
function writer(locale: string, options: Options): Intl.DateTimeFormat {
  const key = locale + JSON.stringify(options);
  const found = known.get(key) ?? new Intl.DateTimeFormat(locale, options);
  known.set(key, found);
  return found;
}

/** Clocks that count to 24 have two figures in front, too. */
function time(locale: string): Options {
  const { hour12 } = writer(locale, { hour: "numeric" }).resolvedOptions();
  return { hour: hour12 ? "numeric" : "2-digit", minute: "2-digit" };
}

/** The year is told where it is not this one. */
function day(at: number, now: number): Options {
  const same = new Date(at).getFullYear() === new Date(now).getFullYear();
  return { day: "numeric", month: "long", ...(same ? {} : { year: "numeric" }) };
}

export const timeOf = (at: number, locale: string): string => writer(locale, time(locale)).format(at);

export const dayOf = (at: number, locale: string, now = Date.now()): string => writer(locale, day(at, now)).format(at);

export const dayAndTime = (at: number, locale: string, now = Date.now()): string =>
  writer(locale, { ...day(at, now), ...time(locale) }).format(at);

/** From when till when, each thing that both have in common told once. */
export const span = (from: number, until: number, locale: string, now = Date.now()): string =>
  writer(locale, { ...day(from, now), ...time(locale) }).formatRange(from, until);

/** Hours and minutes; less than a minute is one. */
export function lasted(ms: number): [hours: number, minutes: number] {
  const minutes = Math.max(1, Math.round(ms / 60_000));
  return [Math.floor(minutes / 60), minutes % 60];
}
