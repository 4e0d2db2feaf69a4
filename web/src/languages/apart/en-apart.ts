import type { Why } from "../../house/faults";
import type { Field } from "../../house/values";
import { plurals } from "../../i18n/numbers";
import type { Apart } from "./ru-apart";

const count = plurals("en");

// -- the house rules, as the form and the rules pages say them

const points = (n: string): string => count(Number(n), { one: "# point", other: "# points" });
const range = (text: string): string => {
  const [least = "", most = ""] = text.split("-");
  return least === most ? least : `${least} to ${most}`;
};

const options: Apart["house"]["options"] = {
  street_one: { open: "open, all see how it is laid", closed: "closed, seen once it is confirmed" },
  lock: { "on-confirm": "once confirmed", "on-place": "as soon as it is placed" },
  equality: { allowed: "are allowed", strict: "make a dead hand" },
  scoring: { "1-6": "1–6, three rows bring 3 points more", "2-4": "2–4, two or three rows bring 1 point more" },
  royalties: { net: "the difference is paid", "line-winner": "only to who wins the row", none: "are not played" },
  fantasyland: { on: "is played", off: "is not played" },
  fantasyland_entry: {},
  fantasyland_timing: { after: "after the others", "from-start": "from the start, while the others play" },
  button_in_fantasyland: { moves: "moves on", stays: "stays where it is" },
  settlement_cap: {
    both: "up to the stack of each of the two",
    loser: "up to the loser’s stack",
    none: "whole, stacks may go below zero",
  },
  auto_layout: { order: "in order of receipt", careful: "without a dead hand where possible" },
  seen_cards: { shown: "is shown", hidden: "is hidden" },
};

const royaltyTables: Record<string, string> = {
  american: "American",
  "vegas-2013": "Vegas 2013, any trips on top earn 20",
  "early-2013": "early 2013, less in the middle and the bottom",
  own: "one of your own",
};

const stays: Record<string, string> = {
  "top-trips": "trips on top",
  "middle-full-house": "a full house or better in the middle",
  "middle-quads": "quads or better in the middle",
  "bottom-quads": "quads or better at the bottom",
};

const pairs: Record<string, string> = {
  "22": "twos",
  "33": "threes",
  "44": "fours",
  "55": "fives",
  "66": "sixes",
  "77": "sevens",
  "88": "eights",
  "99": "nines",
  TT: "tens",
  JJ: "jacks",
  QQ: "queens",
  KK: "kings",
  AA: "aces",
};

function say(field: Field, text: string): string {
  switch (field) {
    case "seats":
      return range(text);
    case "buy_in":
      return `${range(text)} chips`;
    case "deal":
    case "place":
      return text.split(",").join(" + ");
    case "foul_points":
      return `${points(text)} to each`;
    case "royalty_table":
      return royaltyTables[text] ?? "one of its own";
    case "fantasyland_cards": {
      const [queens, kings, aces, trips] = text.split(",");
      return kings === undefined
        ? text
        : `queens ${queens ?? ""}, kings ${kings}, aces ${aces ?? ""}, trips ${trips ?? ""}`;
    }
    case "fantasyland_entry":
      return `a pair of ${pairs[text] ?? text} or better on top`;
    case "fantasyland_stay":
      return text === "none"
        ? "nobody stays"
        : text
            .split(",")
            .map((condition) => stays[condition] ?? condition)
            .join(" or ");
    case "fantasyland_stay_cards":
      return text;
    case "fantasyland_repeats":
      return text === "unlimited"
        ? "as often as one can"
        : text === "0"
          ? "never"
          : text === "1"
            ? "once at most"
            : `${text} times at most`;
    case "hand_seconds":
    case "bank_seconds":
    case "ready_seconds":
    case "showdown_seconds":
      return text === "0" ? "none" : `${text} s`;
    case "point_price":
      return text;
    default:
      return options[field][text] ?? text;
  }
}

const figure = (n: number): string => n.toLocaleString("en");

function why(fault: Why): string {
  switch (fault.is) {
    case "range": {
      const span = `from ${figure(fault.least)} to ${figure(fault.most)}`;
      return fault.several ? `Whole numbers ${span}` : `A whole number ${span}`;
    }
    case "no-value":
      return "This cannot be played";
    case "order":
      return "The least cannot be above the most";
    case "streets":
      return `No more than ${String(fault.most)} streets`;
    case "as-many": {
      const [dealt, laid] = [fault.dealt, fault.laid].map((n) => count(n, { one: "# street", other: "# streets" }));
      return `Dealt on ${dealt ?? ""}, laid on ${laid ?? ""}: these have to be as many`;
    }
    case "full":
      return `A board takes ${String(fault.places)} cards, these are ${String(fault.laid)}`;
    case "over":
      return `Street ${String(fault.street)} lays more than it deals: ${String(fault.laid)} of ${String(fault.dealt)}`;
    case "deck": {
      const { seats, cards, deck, most } = fault;
      return `${String(seats)} seats with up to ${String(cards)} cards each need ${String(seats * cards)}, a deck has ${String(deck)}. Take fewer seats, or ${String(most)} cards at most`;
    }
  }
}

const house: Apart["house"] = {
  why,
  about: {
    room: "Streets of three cards. Fantasyland: 14 cards, laid after the others. For two or three.",
    club: "After the first five, one card at a time. Fantasyland: 13 cards from the start. Up to four.",
    "club-pineapple": "The club’s rules with streets of three cards. For two or three.",
    progressive: "As the room, but the better the top, the more cards in Fantasyland: 14 to 17.",
  },
  groups: { hand: "The hand", score: "Score and royalties", fantasy: "Fantasyland", chips: "Chips", time: "Time" },
  labels: {
    seats: "Players",
    deal: "Dealt street by street",
    place: "Laid street by street",
    street_one: "The first street",
    lock: "A card lies for good",
    equality: "Equal rows",
    scoring: "Score",
    foul_points: "A dead hand pays",
    royalties: "Royalties",
    royalty_table: "Royalty table",
    fantasyland: "Fantasyland",
    fantasyland_cards: "Cards in Fantasyland",
    fantasyland_entry: "Fantasyland is had for",
    fantasyland_stay: "One stays for",
    fantasyland_stay_cards: "Cards for who stays",
    fantasyland_repeats: "In a row one may stay",
    fantasyland_timing: "Fantasyland is laid",
    button_in_fantasyland: "The button before Fantasyland",
    settlement_cap: "What is lost is paid",
    hand_seconds: "Time for a hand",
    bank_seconds: "Time bank at the table",
    auto_layout: "When time is spent, cards are laid",
    buy_in: "Buy-in",
    point_price: "Price of a point",
    ready_seconds: "Wait for others’ Ready",
    showdown_seconds: "Showdown stands",
    seen_cards: "Grid of cards seen",
  },
  options,
  royaltyTables,
  stays,
  say,
  hints: {
    loser: "For example, with 5 chips one can win 39, if the others owe him that much, and lose no more than 5.",
    rows: "Who wins a row gets his own royalty for that row, and no other is paid.",
    seconds: "seconds",
    places: "Seats",
    atLeast: "Begin when there are at least",
    tops: ["queens", "kings", "aces", "trips"],
    commas: "with commas between",
    lists: ["A pair on top", "Trips on top", "Middle", "Bottom"],
    kinds: ["trips", "straight", "flush", "full", "quads", "str. flush", "royal"],
    asNamed: (table) => `As yet the same as “${table}”`,
    least: "least",
    most: "most",
  },
  form: {
    rules: "Rules",
    house: "House rules",
    since: "What has changed:",
    differs: (base) => `Not as in the set “${base}”:`,
    same: (base) => `All as in the set “${base}”`,
    all: "All rules of the table",
    others: "The other rules",
    wrong: "cannot be played",
    refused: "The room did not take this value. Reload the page and try again",
    back: "As in the set again",
    allBack: (base) => `All as in the set “${base}”`,
    aside: (base) => `The set “${base}” cannot be played with this, put aside:`,
    asideBack: (base) => `Back to the set “${base}”`,
    price: "Price of a point, ₽",
    priceHint: (chips, money) => `The lowest buy-in, ${chips}: ${money}`,
    priceFree: "For fun: no money in the score",
  },
};

// -- the proof of a deal, as its sheet says it

const fair: Apart["fair"] = {
  states: {
    unsealed: "The room did not seal this deal, so it cannot be checked.",
    waiting: "The deck was sealed before the deal. Open cards are checked as they come.",
    unproved: "No proof has come for some cards.",
    seedless:
      "The open cards lay in the sealed deck, but no player gave a seed: this deal proves nothing about whether the room chose it.",
    uncounted:
      "The open cards lay in the sealed deck, but the seed of this window took no part in the shuffle: it came too late, or you played in another window.",
    checked: "All the cards you see lay in a deck that was sealed beforehand.",
    failed: "What is shown does not fit the seal. Keep the proof and show it to the others at the table.",
  },
  late: "This browser has not seen the seal that was shown before the deal, so it cannot compare with it.",
  own: "Your seed took part in the shuffle.",
  why: {
    form: "it is not written as proofs are",
    seal: "the seal is another than was shown",
    seeds: "the players’ seeds do not come to this deal",
    deal: "there was no such deal",
    twice: "a card was dealt twice",
    card: "a card is not in the deck",
    decks: "the decks are not those that were sealed",
    moved: "a card lies before another player than it was dealt to",
    button: "the first button is not where the lot put it",
  },
  proves: "What this proves",
  provesText:
    "Before the deal the room seals 64 decks and shows the seal. Then each player gives a random seed of his own: the seeds decide which deck is played and in which order it is dealt. The room does not know them when it seals, so it cannot choose who gets which card. After the hand the other 63 decks are opened: each holds 52 different cards.",
  cannot: "What it does not prove",
  cannotText:
    "The operator of the server can see the cards: what is proved is that he did not choose them. If all the other players are in league with him, a player is protected by his own seed alone. Others’ discards and undealt cards are never opened.",
  hand: "Hand",
  next: "Seal of the next hand",
  nextText: "Write it down to compare it later.",
  keep: "Save the proof",
  root: "Seal",
  seeds: "Seeds of the players",
  none: "nobody gave one",
  untold: "not told in time",
  details: "Details",
  save: "Download the proof",
  verify: "Check it here",

  after: "When the hand is over, its proof can be downloaded here.",
  verifying: "Working it out…",
  good: "Everything fits",
  goodText: (cards: number) => `${count(cards, { one: "# card", other: "# cards" })} and 64 decks.`,

  bad: "It does not fit",

  street: (n: number) => `street ${String(n)}`,
  hidden: (n: number) => `${String(n)} hidden`,
};

// -- everything

export const apart: Apart = { house, fair };
