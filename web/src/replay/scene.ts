// A finished hand at one of its steps: who is who, what the step is called, who holds which cards.
import type { Messages } from "../languages/ru";
import type { Card, HandReplay, HandView, ReplayStep } from "../protocol";

/** The reader's own seat; null where he watches, and where a link shows him what somebody else saw. */
export const ownSeat = (replay: HandReplay): number | null => (replay.table === null ? null : replay.you);

/** What who was dealt in on a seat is called; a link that was shared without names knows only numbers. */
export function nameOf(replay: HandReplay, seat: number, t: Messages): string {
  const player = replay.steps[0]?.hand.players.findIndex((found) => found.seat === seat) ?? -1;
  const name = replay.names[player];
  if (name === undefined) return t.seat(seat + 1);
  return replay.name === "" ? t.replay.player(name) : name;
}

/** The seats as they stand on the screen: clockwise from the left of whose eyes it is seen with, he himself the last. */
export function around({ players, you }: HandView): number[] {
  const from = you ?? -1;
  const far = (seat: number): number => (seat > from ? seat : seat + 9);
  return players.map(({ seat }) => seat).sort((a, b) => far(a) - far(b));
}

/** What a step is called. */
export function titleOf(replay: HandReplay, step: ReplayStep, t: Messages): string {
  if (step.what === "counted") return t.table.showdown;
  const { seat, hand } = step;
  if (step.what === "dealt" || seat === null) return t.replay.dealt;
  const name = seat === ownSeat(replay) ? null : nameOf(replay, seat, t);
  const inFantasyland = hand.players.some((player) => player.seat === seat && player.fantasyland > 0);
  return t.replay.move(inFantasyland ? null : step.street, name, step.what === "laid-for");
}

export interface Holding {
  seat: number;
  /** As far as the viewer sees them. */
  cards: readonly Card[];
  /** How many these are in truth. */
  count: number;
}

/** Who has cards to lay now and shows at least their number, the one whose eyes it is seen with first. */
export function holdings({ players, you }: HandView): Holding[] {
  return players
    .filter(({ acting, hidden }) => acting && !hidden)
    .map(({ seat, dealt, dealt_count: count }) => ({ seat, cards: dealt, count }))
    .sort((a, b) => Number(b.seat === you) - Number(a.seat === you));
}

/** A number that a key or a button leads to, within the steps there are. */
export const within = (step: number, steps: number): number => Math.max(0, Math.min(steps - 1, step));

export type Move = "first" | "back" | "on" | "last" | "play" | "previous" | "next";

const KEYS: Readonly<Record<string, Move>> = {
  ArrowLeft: "back",
  ArrowRight: "on",
  Home: "first",
  End: "last",
  Space: "play",
  BracketLeft: "previous",
  PageUp: "previous",
  BracketRight: "next",
  PageDown: "next",
};

/** What a key means, wherever it lies on the keyboard; null where it means nothing here. */
export const moveOf = (code: string): Move | null => KEYS[code] ?? null;
