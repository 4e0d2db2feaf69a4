// One table as this browser knows it: the last view, the street being laid, and what was asked and not yet answered.
import type { Reason } from "./api";
import { cardsOf, parsePlacement } from "./board/cards";
import { begin, isComplete, isLong, placementText, sort, SORTS, type Laying, type Sort } from "./board/laying";
import type { Card, HandView, PlayerView, Proof, Say, SeatView, TableView } from "./protocol";
import { remember, remembered } from "./remember";
import type { Intent } from "./route.svelte";
import { Line, type Ask, type LineEvents, type LineStatus } from "./socket";

const TICK = 250;
/** Why a draft or a phrase was not taken, where the next view shows it by itself. */
const OVERTAKEN: ReadonlySet<Reason["code"]> = new Set(["turn-over", "elsewhere", "on-break", "held"]);
/** How long a first hand may wait for one's own part in its shuffle. */
const PATIENCE = 1_500;

/** A hand's and a street's number: what a draft or a confirmation is for. */
interface Turn {
  hand: number;
  street: number;
}

/** A seat's time as it reads now, in milliseconds. `onBank`: what runs, or would run next, is the bank. */
export interface Time {
  hand: number;
  bank: number;
  handTotal: number;
  bankTotal: number;
  running: boolean;
  onBank: boolean;
}

/** What a table page needs of a line; the tools for looking bring one without a room. */
export type Dial = (events: LineEvents) => Pick<Line, "ask" | "draft" | "tell" | "reconnect" | "close">;

export class Session {
  view = $state.raw<TableView | null>(null);
  status = $state<LineStatus>("connecting");
  /** Whether one's seat is played from another window, so that this one only looks on. */
  elsewhere = $state(false);
  /** By what the cards of a hand can be checked, as far as it has come: of the hand that is shown last. */
  proofs = $state.raw<readonly Proof[]>([]);
  /** The own street while it is being laid; null when it is not one's turn. */
  laying = $state.raw<Laying | null>(null);
  /** Whether the street was confirmed and the room has not shown it yet. */
  confirming = $state(false);
  refusal = $state.raw<Reason | null>(null);
  /** How the cards in hand are sorted, at this table and the next; null until it is chosen. */
  #sortedBy = $state<Sort | null>(SORTS.find((known) => known === remembered("sort")) ?? null);

  /** Whether the room was asked to let this window play, and has not answered yet. */
  takingOver = $state(false);

  #asked = $state.raw<readonly { id: string; type: Ask["type"] }[]>([]);
  /** What "always ready" was set to and no view shows yet. */
  #always = $state<boolean | null>(null);
  #now = $state(performance.now());
  #received = $state(0);
  #turn: Turn | null = null;
  /** Drafts sent and not yet seen in a view: until then a view tells less than this browser knows. */
  #unseen: string[] = [];
  /** Whether the room may lack what was laid here last. */
  #ahead = false;
  #intent: Intent | null;
  /** What waits for one's part in the shuffle of the first hand, and whether that has lasted long enough. */
  #patience: ReturnType<typeof setTimeout> | undefined;
  #impatient = false;
  readonly #line: ReturnType<Dial>;
  readonly #ticking: ReturnType<typeof setInterval>;

  constructor(dial: Dial, intent: Intent | null = null) {
    this.#intent = intent;
    this.#ticking = setInterval(() => {
      this.#now = performance.now();
    }, TICK);
    this.#line = dial({
      view: (view, elsewhere) => {
        this.elsewhere = elsewhere;
        this.takingOver = false;
        this.#show(view);
      },
      opened: (proof) => {
        this.proofs = this.proofs.at(-1)?.hand === proof.hand ? [...this.proofs, proof] : [proof];
      },
      kept: (id) => {
        this.#answered(id);
        this.refusal = null;
      },
      refused: (refusal) => {
        const asked = this.#answered(refusal.id);
        if (asked === "confirm") this.confirming = false;
        if (asked === "sit") this.#intent = null;
        if (asked === "always") this.#always = null;
        if (refusal.id === null) this.#missed();
        this.takingOver = false;
        // What came too late to matter needs no telling, nor what nobody did himself.
        if (!(refusal.id === null && OVERTAKEN.has(refusal.code)) && !asked?.endsWith("-seed")) this.refusal = refusal;
      },
      status: (status) => {
        this.status = status;
        if (status !== "open") this.takingOver = false;
        if (status === "lost") this.#missed();
      },
    });
  }

  close(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#patience);
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

  /** Who else has cards to lay now: one in turn, and in Fantasyland or where all lay at once, several. */
  get others(): PlayerView[] {
    return this.hand?.players.filter(({ acting, seat }) => acting && seat !== this.hand?.you) ?? [];
  }

  /** Whose turn it is in the open where it is not one's own, and the cards he has still in hand, as far as one may see. */
  get acting(): { player: PlayerView; open: readonly Card[] } | null {
    const player = this.others.find(({ hidden }) => !hidden);
    if (!player) return null;
    const down = player.draft === null ? [] : cardsOf(parsePlacement(player.draft));
    return { player, open: player.dealt.filter((card) => !down.includes(card)) };
  }

  /** Whether what one lays now is a whole board at once. */
  get laysFantasyland(): boolean {
    return this.mine !== null && this.mine.fantasyland > 0;
  }

  /** Whether the host has stopped the game: all times stand, and no card can be laid. */
  get onBreak(): boolean {
    return this.view !== null && this.view.break_ms !== null;
  }

  /** Whether all times stand, and no card can be laid: on a break, or while it is waited for those who were lost. */
  get stands(): boolean {
    return this.onBreak || (this.view?.held ?? null) !== null;
  }

  /** Whether the cards lie as they lie: confirmed already, laid in another window, or the times stand. */
  get held(): boolean {
    return this.confirming || this.elsewhere || this.stands;
  }

  /** Whether a street is to be laid here and now. */
  get myTurn(): boolean {
    return this.laying !== null && !this.elsewhere && !this.stands;
  }

  /** Whether one is the host, with a seat or without. */
  get hosts(): boolean {
    return this.may("publish");
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

  /** What a seat has left, for this hand and in its bank; null outside a hand. */
  timeOf(seat: number): Time | null {
    const sitter = this.view?.seats[seat];
    const clock = sitter?.clock;
    if (!clock) return null;
    const passed = clock.running ? Math.max(0, this.#now - this.#received) : 0;
    // Who is there pays from the hand's time first, who is away from his bank.
    const [first, then] = sitter.connected ? [clock.hand_ms, clock.bank_ms] : [clock.bank_ms, clock.hand_ms];
    const [one, two] = [Math.max(0, first - passed), Math.max(0, then - Math.max(0, passed - first))];
    const [hand, bank] = sitter.connected ? [one, two] : [two, one];
    return {
      hand,
      bank,
      handTotal: clock.hand_total_ms,
      bankTotal: clock.bank_total_ms,
      running: clock.running,
      onBank: sitter.connected ? hand === 0 && clock.bank_total_ms > 0 : bank > 0,
    };
  }

  #left(ms: number | null | undefined): number | null {
    if (ms === null || ms === undefined) return null;
    return this.stands ? ms : this.#since(ms);
  }

  /** How long the break may still last; null where there is none. */
  get breakLeft(): number | null {
    const ms = this.view?.break_ms ?? null;
    return ms === null ? null : this.#since(ms);
  }

  /** How long it is still waited for those who were lost; null where it is not. */
  get holdLeft(): number | null {
    const ms = this.view?.held_ms ?? null;
    return ms === null ? null : this.#since(ms);
  }

  get readyLeft(): number | null {
    return this.#left(this.view?.ready_ms);
  }

  get showdownLeft(): number | null {
    return this.#left(this.view?.showdown_ms);
  }

  get topUpLeft(): number | null {
    return this.#left(this.view?.top_up_ms);
  }

  // -- what the player does

  ask(ask: Ask): void {
    this.#asked = [...this.#asked, { id: this.#line.ask(ask), type: ask.type }];
  }

  /** Call anew under the name just given, then sit down. */
  sitAs(newcomer: boolean, buyIn: number | null): void {
    if (newcomer) this.#line.reconnect();
    this.ask(buyIn === null ? { type: "sit" } : { type: "sit", buy_in: buyIn });
  }

  /** Play the match to come; later ones too where one is always ready. */
  ready(): void {
    if (this.view) this.ask({ type: "ready", hand: this.view.hands + 1, always: this.always });
  }

  /** Whether the room answers Ready before later matches: as it was set here last, or as the room holds it. */
  get always(): boolean {
    return this.#always ?? this.me?.always_ready ?? false;
  }

  set always(on: boolean) {
    this.#always = on;
    this.ask({ type: "always", on });
  }

  /** Play from this window, and from no other any more. */
  takeOver(): void {
    this.takingOver = this.#line.tell({ type: "take-over" });
  }

  say(phrase: Say["phrase"]): void {
    this.#line.tell({ type: "say", phrase });
  }

  /** Have seen the showdown and want the next hand of the match; who has no chips says that he brings none. */
  goOn(): void {
    if (this.view) this.ask({ type: "go-on", hand: this.view.hands });
  }

  /** How cards in hand are shown: a street's, until somebody sorts, as they were dealt (null); many of them by rank. */
  orderOf(laying: Pick<Laying, "needed">): Sort | null {
    return this.#sortedBy ?? (isLong(laying) ? "rank" : null);
  }

  /** Show the cards in hand in the next order. */
  sortOn(): void {
    if (!this.laying) return;
    const now = this.orderOf(this.laying);
    const next = SORTS[(now === null ? 0 : SORTS.indexOf(now) + 1) % SORTS.length] ?? "rank";
    this.#sortedBy = next;
    remember("sort", next);
    this.laying = sort(this.laying, next);
  }

  /** Change the street being laid, and let the room know how it lies now. */
  lay(change: (laying: Laying) => Laying): void {
    if (!this.laying || this.held) return;
    const before = this.laying;
    this.laying = change(before);
    if (placementText(this.laying) !== placementText(before)) this.#sendDraft();
  }

  confirm(): void {
    if (!this.laying || !this.#turn || !isComplete(this.laying) || this.held) return;
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
    // The room has answered, and this view is younger than its answer.
    if (!this.isAsking("always")) this.#always = null;
    this.#followTurn(view);
    this.#followIntent(view);
  }

  #followTurn({ hand }: TableView): void {
    const { mine } = this;
    if (hand === null || !mine?.acting || mine.street === null || mine.dealt.length === 0) {
      this.#turn = null;
      this.laying = null;
      this.confirming = false;
      return;
    }
    const by = this.orderOf({ needed: mine.to_lay });
    const fresh = (): Laying => begin(mine.board, mine.dealt, mine.to_lay, mine.draft, by);
    if (this.laying === null || this.#turn?.hand !== hand.number || this.#turn.street !== mine.street) {
      this.#turn = { hand: hand.number, street: mine.street };
      this.#unseen = [];
      this.#ahead = false;
      this.confirming = false;
      this.laying = fresh();
      return;
    }
    if (this.elsewhere) {
      // The other window's word is what counts, and nothing of this one's is owed to the room.
      this.#missed();
      this.#ahead = false;
      if (mine.draft !== placementText(this.laying)) this.laying = fresh();
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
    const plays = this.#intent === "play" && this.may("ready");
    // The last Ready calls the hand: what one has to do with its shuffle comes before that.
    if (plays && !this.#impatient && (view.fair === null || this.may("commit-seed"))) {
      this.#patience ??= setTimeout(() => {
        this.#impatient = true;
        if (this.view) this.#followIntent(this.view);
      }, PATIENCE);
      return;
    }
    if (plays) this.ready();
    this.#intent = null;
  }

  #sendDraft(): void {
    if (!this.laying || !this.#turn || this.stands) return;
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
