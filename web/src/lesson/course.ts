// The lesson as it runs: a table of its own in this browser, where a bot plays a hand that is written down, and the
// learner plays what he likes. Nothing of it reaches the room.
import { EMPTY, parsePlacement, type Placement } from "../board/cards";
import type { Messages } from "../languages/ru";
import type { Board, HandView, PlayerResult, PlayerView, Reckoning, RowResult, SeatView, TableView } from "../protocol";
import { royalty, ROWS, worth } from "../rules/rows";
import type { Dial } from "../state.svelte";
import { DEALT, placed, RULES, VIEWS } from "./hand";

/** How long the bot thinks, in milliseconds: on the first street its cards are to be looked at. */
const THINKS = [1_800, 1_000];

/** The table after so many moves of both, the learner's own cards as he laid them. */
export function tableAfter(moves: number, placements: readonly Placement[]): TableView {
  const view = VIEWS[moves];
  if (!view?.hand) throw new Error(`the lesson has no move ${moves}`);
  const own = (player: PlayerView): PlayerView => ({
    ...player,
    board: placements.reduce<Board>(placed, EMPTY),
    laid: placements.slice(-1).flatMap(({ top, middle, bottom }) => [...top, ...middle, ...bottom]),
    discards: placements.flatMap(({ discards }) => discards),
  });
  const players = view.hand.players.map((player) => (player.seat === view.you ? own(player) : player));
  const hand = { ...view.hand, players };
  return hand.reckoning ? counted(view, hand, hand.reckoning) : { ...view, hand };
}

/**
 * The showdown. Whoever has come this far has queens on top of a living board, and so wins every row of the bot's: what
 * his rows are, and what they earn, is all that differs from the hand as it is written down.
 */
function counted(view: TableView, hand: HandView, written: Reckoning): TableView {
  const you = hand.you;
  const board = hand.players.find(({ seat }) => seat === you)?.board ?? EMPTY;
  const result = (row: (typeof ROWS)[number]): RowResult => {
    const found = worth(row, board[row]);
    return { category: found.category, ranks: [...found.ranks], royalty: royalty(row, found, RULES) };
  };
  const rows: PlayerResult["rows"] = [result("top"), result("middle"), result("bottom")];
  const royalties = rows.reduce((sum, row) => sum + row.royalty, 0);
  const before = written.players.find(({ seat }) => seat === you)?.royalties ?? 0;
  /** What a seat's account gets beside what is written down. */
  const more = (seat: number): number => (seat === you ? royalties - before : before - royalties);

  const reckoning: Reckoning = {
    players: written.players.map((player) => {
      const by = more(player.seat);
      const { points, won, stack } = player;
      const sums = { points: points + by, won: (won ?? 0) + by, stack: (stack ?? 0) + by };
      return player.seat === you ? { ...player, ...sums, rows, royalties } : { ...player, ...sums };
    }),
    pairs: written.pairs.map((pair) => {
      const by = more(pair.seats[0]);
      const [first, second] = pair.royalties;
      const paid: [number, number] = pair.seats[0] === you ? [royalties, second] : [first, royalties];
      return { ...pair, royalties: paid, claim: pair.claim + by, transfer: pair.transfer + by };
    }),
  };
  const account = (sitter: SeatView): SeatView => {
    const by = more(sitter.seat);
    return { ...sitter, stack: sitter.stack + by, total: sitter.total + by };
  };
  const won = view.match?.players.map((player) => ({ ...player, won: player.won + more(player.seat) }));
  return {
    ...view,
    hand: { ...hand, reckoning },
    seats: view.seats.map((sitter) => sitter && account(sitter)),
    match: view.match && { ...view.match, players: won ?? [] },
  };
}

/** The same table in the learner's language. */
function told(view: TableView, t: Messages): TableView {
  const name = (seat: number): string => (seat === view.you ? t.you : t.lesson.rival);
  return {
    ...view,
    name: t.lesson.title,
    seats: view.seats.map((sitter) => sitter && { ...sitter, name: name(sitter.seat) }),
    names: view.hand?.players.map(({ seat }) => name(seat)) ?? [],
    match: view.match && {
      ...view.match,
      players: view.match.players.map((player) => ({ ...player, name: name(player.seat) })),
    },
  };
}

/** A line to that table; whatever else is asked there, nothing happens. */
export function lessonLine(t: Messages): Dial {
  return (events) => {
    const placements: Placement[] = [];
    let moves = 0;
    let asked = 0;
    let timer: ReturnType<typeof setTimeout> | undefined;

    const show = (): void => {
      events.view(told(tableAfter(moves, placements), t), false);
    };
    const next = (wait: number): void => {
      timer = setTimeout(() => {
        moves += 1;
        show();
      }, wait);
    };
    timer = setTimeout(() => {
      events.status("open");
      show();
    });
    return {
      ask: (message) => {
        const id = `lesson-${String(++asked)}`;
        if (message.type === "confirm" && moves === 2 * placements.length && placements.length < DEALT.length) {
          placements.push(parsePlacement(message.placement));
          moves += 1;
          // An answer comes after the question, as from a room.
          timer = setTimeout(() => {
            events.kept(id);
            show();
            next(THINKS[placements.length - 1] ?? THINKS.at(-1) ?? 0);
          });
        }
        return id;
      },
      draft: () => true,
      tell: () => true,
      reconnect: () => undefined,
      close: () => {
        clearTimeout(timer);
      },
    };
  };
}
