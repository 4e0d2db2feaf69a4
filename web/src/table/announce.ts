// What a screen reader says when one view follows another, and when time runs out.
import { cardsOf } from "../board/cards";
import type { Base, Field } from "../house/values";
import type { Apart } from "../languages/apart/ru-apart";
import type { Messages } from "../languages/ru";
import type { HandView, Notice, PlayerView, RuleChange, TableView } from "../protocol";

type Names = (seat: number) => string;

/** As far as it is told: what is left in all, and whether the bank runs. */
export interface Left {
  ms: number;
  onBank: boolean;
}

/** What one's time has come to between two looks at it; null where it passed nothing that is told. */
export function passed(before: Left | null, now: Left): 10 | 30 | "bank" | null {
  if (!before) return null;
  const below = (ms: number): boolean => now.ms <= ms && before.ms > ms;
  return below(10_000) ? 10 : below(30_000) ? 30 : now.onBank && !before.onBank ? "bank" : null;
}

/** The news between two views, in the order they happened; empty where there is nothing to say. */
export function news(before: TableView | null, now: TableView, name: Names, t: Messages): string {
  const { hand } = now;
  const old = before?.hand?.number === hand?.number ? (before?.hand ?? null) : null;
  return [
    ...(before ? ofSeats(before, now, t) : []),
    ...(hand ? ofHand(old, hand, name, t) : []),
    ...(hand && old ? ofShowdown(old, hand, name, t) : []),
    ...(before ? ofMatch(before, now, t) : []),
  ].join(". ");
}

/** Who came, whose chips are gone or back, and who is away with his time spent. */
function ofSeats(before: TableView, now: TableView, t: Messages): string[] {
  const said: string[] = [];
  for (const [seat, sitter] of now.seats.entries()) {
    const earlier = before.seats[seat];
    if (!sitter) continue;
    if (!earlier) {
      if (seat !== now.you) said.push(t.said.sat(sitter.name));
      continue;
    }
    if (sitter.absent && !earlier.absent) said.push(t.said.absent(sitter.name));
    if (earlier.broke && !sitter.broke) said.push(t.said.brought(sitter.name));
  }
  return said;
}

function ofHand(old: HandView | null, hand: HandView, name: Names, t: Messages): string[] {
  const said: string[] = [];
  if (!old && !hand.reckoning) {
    said.push(t.said.deal(hand.number));
    if (hand.closed) said.push(t.said.closed);
  }
  for (const player of hand.players) {
    const earlier = old?.players.find(({ seat }) => seat === player.seat);
    if (!earlier || player.seat === hand.you) continue;
    if (player.hidden && player.done && !earlier.done) said.push(t.said.laid(name(player.seat)));
    if ((earlier.street ?? Infinity) < (player.street ?? 0)) {
      const known = cardsOf(earlier.board);
      const laid = cardsOf(player.board).filter((card) => !known.includes(card));
      said.push(t.said.placed(name(player.seat), laid.map(t.card).join(", ")));
    }
  }
  const mine = own(hand);
  const before = own(old);
  if (mine?.acting && !(before?.acting && before.street === mine.street)) {
    const cards = mine.dealt.map(t.card).join(", ");
    said.push(
      mine.fantasyland > 0
        ? t.said.fantasyTurn(mine.dealt.length, mine.to_lay, cards)
        : t.said.turn(mine.street ?? 1, cards),
    );
  }
  return said;
}

const own = (hand: HandView | null): PlayerView | undefined => hand?.players.find(({ seat }) => seat === hand.you);

function ofShowdown(old: HandView, hand: HandView, name: Names, t: Messages): string[] {
  if (!hand.reckoning || old.reckoning) return [];
  const result = hand.reckoning.players.find(({ seat }) => seat === hand.you);
  const said = [result ? t.said.result(hand.number, result.points) : t.said.over(hand.number)];
  for (const { seat, fantasyland, stays } of hand.reckoning.players) {
    if (fantasyland === 0) continue;
    const inIt = (hand.players.find((player) => player.seat === seat)?.fantasyland ?? 0) > 0;
    if (seat !== hand.you) said.push((inIt && stays ? t.said.stays : t.said.gets)(name(seat), fantasyland));
    else said.push((inIt && stays ? t.fantasy.yourStay : t.fantasy.yours)(t.cards(fantasyland)));
  }
  for (const { seat, stack } of hand.reckoning.players) if (stack === 0) said.push(t.said.broke(name(seat)));
  return said;
}

function ofMatch(before: TableView, now: TableView, t: Messages): string[] {
  const { match } = now;
  if (!match?.over || before.match?.number !== match.number || before.match.over) return [];
  const mine = match.players.find(({ seat }) => seat === now.you);
  return [
    ...(match.lapsed ? [t.fantasy.lapsed[match.lapsed]] : []),
    // A match of one hand has no other result than the hand.
    ...(match.hand === 1 ? [] : [mine ? t.said.match(mine.won) : t.said.matchOver]),
  ];
}

/** What a notice is about: one's seat, or the table's break, publicness, host or rules. */
function about({ what, name, number }: Notice): string {
  if (/bot|removed/.test(what)) return `seat ${name ?? ""}`;
  // Each tells what it has changed.
  if (what === "rules-changed") return `rules ${number}`;
  if (/^(?:hold-over|voided|resumed)/.test(what)) return "held";
  return what === "private" ? "public" : what.replace("-over", "");
}

/** Whether what is told now makes untrue, or says again, what was told before. */
export const overtakes = (newer: Notice, older: Notice): boolean => about(newer) === about(older);

/** A rule that is another now: what it was, and what it is. */
export function ruleSaid(
  { rule, old, new: now }: RuleChange,
  t: Messages,
  house: Apart["house"],
  money: (amount: number) => string,
): string {
  const say = (text: string): string => {
    if (rule === "base") return t.sets[text as Base];
    if (rule === "point_price") return Number(text) > 0 ? money(Number(text)) : t.sit.free;
    return house.say(rule as Field, text);
  };
  const label = rule === "base" ? house.form.rules : house.labels[rule as Field];
  return `${label}: ${say(old)} → ${say(now)}`;
}

/** How many changes are told at once. */
const CHANGES = 2;

/** How long a notice is to be read, in milliseconds. */
export const lasts = ({ changes }: Notice): number => 5_000 + 2_500 * Math.min(changes.length, CHANGES + 1);

/**
 * A notice in words; `own`: what the viewer is called here, null where he has no seat; `house`: the words for rules, null
 * until they are here.
 */
export function told(
  { what, name, changes }: Notice,
  own: string | null,
  t: Messages,
  house: Apart["house"] | null,
  money: (amount: number) => string,
): string {
  if (house !== null && changes.length > 0) {
    const said = changes.slice(0, CHANGES).map((change) => ruleSaid(change, t, house, money));
    return t.notices.rules(said, changes.length - said.length);
  }
  if (what === "host" && name !== null && name === own) return t.notices.hostYou;
  const words = t.notices[what];
  return typeof words === "string" ? words : words(name ?? "");
}
