// What a review says, made ready to be shown: placements compared, amounts written, the account and its line measured.
import { parsePlacement } from "../board/cards";
import type { Board, Card, HandReview, Option, StreetReview } from "../protocol";
import { ROWS } from "../rules/rows";

export type Verdict = StreetReview["verdict"];

// -- placements

/** One text for all orders in which the cards of a row, or those thrown away, may be written. */
export function normal(placement: string): string {
  const { top, middle, bottom, discards } = parsePlacement(placement);
  return [top, middle, bottom, discards].map((cards) => cards.toSorted().join("")).join("/");
}

export const same = (a: string, b: string): boolean => normal(a) === normal(b);

/** A placement among those that were judged. */
export function optionOf(options: readonly Option[], placement: string): Option | null {
  const wanted = normal(placement);
  return options.find((option) => normal(option.placement) === wanted) ?? null;
}

/** A board with a placement on it, and which cards that has laid and thrown away. */
export function laidOn(board: Board, placement: string): { board: Board; fresh: Card[]; thrown: Card[] } {
  const laid = parsePlacement(placement);
  const add = (row: "top" | "middle" | "bottom"): Card[] => [...board[row], ...laid[row]];
  return {
    board: { top: add("top"), middle: add("middle"), bottom: add("bottom") },
    fresh: ROWS.flatMap((row) => laid[row]),
    thrown: laid.discards,
  };
}

/** The cards that one placement lays in another row than the other does. */
export function moved(placement: string, other: string): Card[] {
  const [one, two] = [parsePlacement(placement), parsePlacement(other)];
  return ROWS.flatMap((row) => one[row].filter((card) => !two[row].includes(card)));
}

// -- a street

/** Whether there was something better to be found. */
export const isWrong = ({ verdict }: Pick<StreetReview, "verdict">): boolean =>
  verdict === "mistake" || verdict === "inaccuracy";

/** What a street is drawn as: what the table laid is nobody's mistake. */
export const markOf = ({ automatic, verdict }: Pick<StreetReview, "automatic" | "verdict">): Verdict =>
  automatic ? "forced" : verdict;

/** Whether the answer is kept back at first: there was better, and all that could be laid is judged. */
export const isCovered = (review: StreetReview): boolean => isWrong(review) && canReplay(review);

/** In Fantasyland only two placements are judged; and where there was no choice there is none now. */
export const canReplay = ({ spot, verdict }: StreetReview): boolean => spot.fantasyland === 0 && verdict !== "forced";

/** `equal`: it cannot be told from the best, `close`: from what was laid in the hand. The others are against that. */
export type Outcome = "best" | "equal" | "better" | "close" | "same" | "worse";

/** How many standard errors two placements have to be apart to be told one from the other. */
const APART = 2;

/** How a new try at a street did. */
export function outcome({ options, chosen }: Pick<StreetReview, "options" | "chosen">, tried: Option): Outcome {
  if (options[0] && same(options[0].placement, tried.placement)) return "best";
  if (tried.equal) return "equal";
  if (same(tried.placement, chosen.placement)) return "same";
  const error = Math.hypot(tried.error, chosen.error);
  if (Math.abs(tried.points - chosen.points) <= APART * error) return "close";
  return tried.points > chosen.points ? "better" : "worse";
}

export interface Move {
  option: Option;
  best: boolean;
  yours: boolean;
  /** Its place among all, from 1. */
  place: number;
  /** How long its bar is, from 0 to 1. */
  bar: number;
}

/** The bars tell apart no less than so many points. */
const LEAST_SPAN = 2;
const SHORTEST = 0.35;

/** The best moves, and his own wherever it stands. */
export function moves({ options, chosen }: Pick<StreetReview, "options" | "chosen">, most = 5): Move[] {
  const own = options.findIndex(({ placement }) => same(placement, chosen.placement));
  const places = options.map((_, place) => place).filter((place) => place < most || place === own);
  const shown = places.flatMap((place) => options[place] ?? []);
  const span = Math.max(LEAST_SPAN, ...shown.map(({ behind }) => behind));
  return shown.map((option, at) => ({
    option,
    best: places[at] === 0,
    yours: places[at] === own,
    place: (places[at] ?? 0) + 1,
    bar: 1 - (1 - SHORTEST) * (option.behind / span),
  }));
}

// -- amounts

/** Points with one decimal and their sign, as the language writes them; a plain zero. */
export function tenths(amount: number, locale: string): string {
  const rounded = Math.round(amount * 10) / 10;
  if (rounded === 0) return "0";
  const written = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
  return `${rounded > 0 ? "+" : "−"}${written.format(Math.abs(rounded))}`;
}

/** An error as it stands behind an amount; nothing where there is none. Less than can be written is not told as none. */
export function within(error: number, locale: string): string {
  if (error === 0) return "";
  return ` ± ${tenths(Math.max(0.1, error), locale).slice(1)}`;
}

/** A chance in whole hundredths: what is possible is not told as never. */
export function percent(chance: number): string {
  if (chance > 0 && chance < 0.01) return "<1%";
  if (chance < 1 && chance > 0.99) return ">99%";
  return `${Math.round(chance * 100)}%`;
}

const toTenths = (amount: number): number => Math.round(amount * 10) / 10;

/** A street whose points are in tenths: each placement's are the best's, less what it is behind, so that what is written adds up. */
export function inTenths(street: StreetReview): StreetReview {
  const best = toTenths(street.options[0]?.points ?? street.chosen.points);
  const told = (option: Option): Option => ({ ...option, points: best - toTenths(option.behind) });
  return { ...street, options: street.options.map(told), chosen: told(street.chosen) };
}

// -- the account

export interface Share {
  amount: number;
  /** The bar, from the middle to the left or right: how much of its half is filled, from 0 to 1. */
  bar: number;
}

export interface AccountShares {
  right: number;
  decisions: Share;
  byTable: Share;
  luck: Share;
}

/** The account in tenths; what rounding leaves over goes to luck, so that what is written adds up. */
export function shares({
  result,
  right,
  decisions,
  by_table,
}: Pick<HandReview, "result" | "right" | "decisions" | "by_table">): AccountShares {
  const [rights, decided, byTable] = [toTenths(right), toTenths(decisions), toTenths(by_table)];
  const luck = toTenths(result + rights - decided - byTable);
  const most = Math.max(1, ...[decided, byTable, luck].map(Math.abs));
  const share = (amount: number): Share => ({ amount, bar: Math.abs(amount) / most });
  return { right: rights, decisions: share(decided), byTable: share(byTable), luck: share(luck) };
}

/** What was lost by mistakes and inaccuracies, and how many there were. */
export function summary(streets: readonly StreetReview[]): { mistakes: number; inaccuracies: number; lost: number } {
  const of = (verdict: Verdict): StreetReview[] =>
    streets.filter((street) => street.verdict === verdict && !street.automatic);
  const [mistakes, inaccuracies] = [of("mistake"), of("inaccuracy")];
  const lost = [...mistakes, ...inaccuracies].reduce((sum, { loss }) => sum + loss, 0);
  return { mistakes: mistakes.length, inaccuracies: inaccuracies.length, lost };
}

// -- the line of what could be expected

export interface Stop {
  /** The decision it follows, from 0; null for the end of the hand. */
  at: number | null;
  points: number;
  /** After the best placement, where his own lost something that is named. */
  best: number | null;
  verdict: Verdict | null;
  /** From 0 at the left to 1 at the right, and from 0 at the top to 1 at the bottom. */
  x: number;
  y: number;
  bestY: number;
}

export interface Curve {
  stops: Stop[];
  ticks: { points: number; y: number }[];
}

/** Steps between the lines of a scale. */
const STEPS = [5, 10, 20, 25, 50, 100, 200];

/** What could be expected after each decision judged so far, up to what came of it. */
export function curve(review: Pick<HandReview, "streets" | "of" | "done" | "result" | "right">): Curve {
  const found = review.streets.map((street, at) => {
    const best = isWrong(street) ? (street.options[0]?.points ?? null) : null;
    return { at, points: street.chosen.points, best, verdict: markOf(street) };
  });
  const stops = [
    ...found,
    ...(review.done ? [{ at: null, points: review.result + review.right, best: null, verdict: null }] : []),
  ];
  const all = [0, ...stops.flatMap(({ points, best }) => (best === null ? [points] : [points, best]))];
  const [low, high] = [Math.min(...all), Math.max(...all)];
  const step = STEPS.find((known) => (high - low) / known <= 3) ?? 500;
  const [bottom, top] = [Math.min(low, -step * 0.6), Math.max(high, step * 0.6)];
  const y = (points: number): number => (top - points) / (top - bottom);
  const ticks = [];
  for (let points = Math.ceil(bottom / step) * step; points <= top; points += step) {
    ticks.push({ points: points || 0, y: y(points) });
  }
  return {
    stops: stops.map((stop) => ({
      ...stop,
      x: review.of === 0 ? 0 : (stop.at ?? review.of) / review.of,
      y: y(stop.points),
      bestY: y(stop.best ?? stop.points),
    })),
    ticks,
  };
}
