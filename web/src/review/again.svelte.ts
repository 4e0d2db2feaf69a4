// A street that is played again, by itself: as much of a table as laying cards needs, without a room behind it.
import type { LayingTable } from "../board/laid";
import { begin, isLong, sort, SORTS, type Laying, type Sort } from "../board/laying";
import type { PlayerView, RuleSet, Spot } from "../protocol";
import { remember, remembered } from "../remember";

export class Again implements LayingTable {
  laying = $state.raw<Laying | null>(null);
  confirming = $state(false);
  held = $state(false);
  #sortedBy = $state<Sort | null>(SORTS.find((known) => known === remembered("sort")) ?? null);

  readonly view: { rules: RuleSet };
  readonly mine: PlayerView;
  // Nobody else lays, and there is no clock.
  readonly hand = null;
  readonly me = null;
  readonly acting = null;
  readonly others: PlayerView[] = [];

  constructor(spot: Spot, rules: RuleSet) {
    const { seat, street, fantasyland, board, dealt, to_lay, discards } = spot;
    this.view = { rules };
    this.mine = {
      seat,
      street,
      fantasyland,
      board,
      dealt,
      to_lay,
      discards,
      acting: true,
      done: false,
      hidden: false,
      laid: [],
      dealt_count: dealt.length,
      draft: null,
      discard_count: discards.length,
    };
    this.laying = begin(board, dealt, to_lay, null, this.orderOf({ needed: to_lay }));
  }

  timeOf(): null {
    return null;
  }

  nameOf(): null {
    return null;
  }

  lay(change: (laying: Laying) => Laying): void {
    if (this.laying && !this.held && !this.confirming) this.laying = change(this.laying);
  }

  orderOf(laying: Pick<Laying, "needed">): Sort | null {
    return this.#sortedBy ?? (isLong(laying) ? "rank" : null);
  }

  sortOn(): void {
    if (!this.laying) return;
    const now = this.orderOf(this.laying);
    const next = SORTS[(now === null ? 0 : SORTS.indexOf(now) + 1) % SORTS.length] ?? "rank";
    this.#sortedBy = next;
    remember("sort", next);
    this.laying = sort(this.laying, next);
  }
}
