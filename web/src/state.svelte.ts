// One table as this browser knows it: the last view, the street being laid, and what was asked and not yet answered.
import type { Reason } from "./api";
import { cardsOf, parsePlacement } from "./board/cards";
import { begin, isComplete, placementText, type Laying } from "./board/laying";
import type { Card, HandView, PlayerView, SeatView, TableView } from "./protocol";
import type { Intent } from "./route.svelte";
import { Line, type Ask, type LineEvents, type LineStatus } from "./socket";

const TICK = 250;

/** A hand's and a street's number: what a draft or a confirmation is for. */
interface Turn {
  hand: number;
  street: number;
}

/** What a table page needs of a line; the tools for looking bring one without a room. */
export type Dial = (events: LineEvents) => Pick<Line, "ask" | "draft" | "reconnect" | "close">;

export class Session {
  view = $state.raw<TableView | null>(null);
  status = $state<LineStatus>("connecting");
  /** The own street while it is being laid; null when it is not one's turn. */
  laying = $state.raw<Laying | null>(null);
  /** Whether the street was confirmed and the room has not shown it yet. */
  confirming = $state(false);
  refusal = $state.raw<Reason | null>(null);

  #asked = $state.raw<readonly { id: string; type: Ask["type"] }[]>([]);
  #now = $state(performance.now());
  #received = $state(0);
  #turn: Turn | null = null;
  /** Drafts sent and not yet seen in a view: until then a view tells less than this browser knows. */
  #unseen: string[] = [];
  /** Whether the room may lack what was laid here last. */
  #ahead = false;
  #intent: Intent | null;
  readonly #line: ReturnType<Dial>;
  readonly #ticking: ReturnType<typeof setInterval>;

  constructor(dial: Dial, intent: Intent | null = null) {
    this.#intent = intent;
    this.#ticking = setInterval(() => {
      this.#now = performance.now();
    }, TICK);
    this.#line = dial({
      view: (view) => {
        this.#show(view);
      },
      kept: (id) => {
        this.#answered(id);
        this.refusal = null;
      },
      refused: (refusal) => {
        const asked = this.#answered(refusal.id);
        if (asked === "confirm") this.confirming = false;
        if (asked === "sit") this.#intent = null;
        if (refusal.id === null) this.#missed();
        // What came too late to matter needs no telling: the view says what is.
        if (!(refusal.id === null && refusal.code === "turn-over")) this.refusal = refusal;
      },
      status: (status) => {
        this.status = status;
        if (status === "lost") this.#missed();
      },
    });
  }

  close(): void {
    clearInterval(this.#ticking);
    this.#line.close();
  }

  // -- what is

  get hand(): HandView | null {
    return this.view?.hand ?? null;
  }

  /** The own seat; null for a spectator. */
  get me(): SeatView | null {
    const { view } = this;
    return view === null || view.you === null ? null : (view.seats[view.you] ?? null);
  }

  /** The own side of the hand; null for who is not dealt in. */
  get mine(): PlayerView | null {
    const you = this.hand?.you ?? null;
    return you === null ? null : this.player(you);
  }

  player(seat: number): PlayerView | null {
    return this.hand?.players.find((player) => player.seat === seat) ?? null;
  }

  /** Who was dealt in on this seat, and may have left it since; else who sits there. */
  nameOf(seat: number): string | null {
    const player = this.hand?.players.findIndex((found) => found.seat === seat) ?? -1;
    return this.view?.names[player] ?? this.view?.seats[seat]?.name ?? null;
  }

  /** Whose turn it is where it is not one's own, and the cards he has still in hand, as far as they are open. */
  get acting(): { player: PlayerView; open: readonly Card[] } | null {
    const turn = this.hand?.turn ?? null;
    const player = turn === null || turn === this.mine?.seat ? null : this.player(turn);
    if (!player) return null;
    const down = player.draft === null ? [] : cardsOf(parsePlacement(player.draft));
    return { player, open: player.dealt.filter((card) => !down.includes(card)) };
  }

  get showdown(): boolean {
    return this.hand !== null && this.hand.reckoning !== null;
  }

  get myTurn(): boolean {
    return this.laying !== null;
  }

  may(action: TableView["may"][number]): boolean {
    return this.view?.may.includes(action) ?? false;
  }

  isAsking(type: Ask["type"]): boolean {
    return this.#asked.some((asked) => asked.type === type);
  }

  // -- time

  #since(left: number): number {
    return Math.max(0, left - Math.max(0, this.#now - this.#received));
  }

  /** What a seat has left for this hand, in milliseconds; null outside a hand. */
  leftOf(seat: number): number | null {
    const clock = this.view?.seats[seat]?.clock;
    if (!clock) return null;
    return clock.running ? this.#since(clock.left_ms) : clock.left_ms;
  }

  get readyLeft(): number | null {
    const left = this.view?.ready_ms ?? null;
    return left === null ? null : this.#since(left);
  }

  get showdownLeft(): number | null {
    const left = this.view?.showdown_ms ?? null;
    return left === null ? null : this.#since(left);
  }

  // -- what the player does

  ask(ask: Ask): void {
    this.#asked = [...this.#asked, { id: this.#line.ask(ask), type: ask.type }];
  }

  /** Call anew under the name just given, then sit down. */
  sitAs(newcomer: boolean): void {
    if (newcomer) this.#line.reconnect();
    this.ask({ type: "sit" });
  }

  ready(always: boolean): void {
    if (this.view) this.ask({ type: "ready", hand: this.view.hands + 1, always });
  }

  /** Change the street being laid, and let the room know how it lies now. */
  lay(change: (laying: Laying) => Laying): void {
    if (!this.laying || this.confirming) return;
    const before = this.laying;
    this.laying = change(before);
    if (placementText(this.laying) !== placementText(before)) this.#sendDraft();
  }

  confirm(): void {
    if (!this.laying || !this.#turn || !isComplete(this.laying) || this.confirming) return;
    this.confirming = true;
    this.ask({ type: "confirm", ...this.#turn, placement: placementText(this.laying) });
  }

  // -- what comes from the room

  #answered(id: string | null): Ask["type"] | undefined {
    const type = this.#asked.find((asked) => asked.id === id)?.type;
    this.#asked = this.#asked.filter((asked) => asked.id !== id);
    return type;
  }

  #show(view: TableView): void {
    this.#received = this.#now = performance.now();
    this.view = view;
    this.#followTurn(view);
    this.#followIntent(view);
  }

  #followTurn({ hand, rules }: TableView): void {
    const { mine } = this;
    if (hand === null || mine === null || hand.turn !== mine.seat || mine.dealt.length === 0) {
      this.#turn = null;
      this.laying = null;
      this.confirming = false;
      return;
    }
    const needed = rules.place[mine.street - 1] ?? mine.dealt.length;
    const fresh = (): Laying => begin(mine.board, mine.dealt, needed, mine.draft);
    if (this.laying === null || this.#turn?.hand !== hand.number || this.#turn.street !== mine.street) {
      this.#turn = { hand: hand.number, street: mine.street };
      this.#unseen = [];
      this.#ahead = false;
      this.confirming = false;
      this.laying = fresh();
      return;
    }
    if (mine.draft !== null) this.#unseen = this.#unseen.slice(this.#unseen.lastIndexOf(mine.draft) + 1);
    if (this.#unseen.length > 0 || this.confirming || mine.draft === placementText(this.laying)) return;
    // Laid here without a line, or forgotten by a room that came back; else another window of the same player did it.
    const forgotten = mine.draft === null && this.laying.down.length > 0;
    if (this.#ahead || forgotten) this.#sendDraft();
    else if (mine.draft !== null) this.laying = fresh();
  }

  #followIntent(view: TableView): void {
    if (this.#intent === null) return;
    if (view.you === null) {
      if (this.may("sit") && !this.isAsking("sit")) this.ask({ type: "sit" });
      return;
    }
    if (this.#intent === "play" && this.may("ready")) this.ready(false);
    this.#intent = null;
  }

  #sendDraft(): void {
    if (!this.laying || !this.#turn) return;
    const placement = placementText(this.laying);
    this.#ahead = !this.#line.draft({ ...this.#turn, placement });
    if (!this.#ahead) this.#unseen.push(placement);
  }

  /** What was sent and not yet seen may never have arrived. */
  #missed(): void {
    if (this.#unseen.length > 0) this.#ahead = true;
    this.#unseen = [];
  }
}
