import type { HouseWords } from "./ru";
import { plurals } from "../i18n/numbers";
import type { Field } from "./values";

const count = plurals("en");
const points = (n: string): string => count(Number(n), { one: "# point", other: "# points" });
const range = (text: string): string => {
  const [least = "", most = ""] = text.split("-");
  return least === most ? least : `${least} to ${most}`;
};

const options: HouseWords["options"] = {
  street_one: { open: "open: all see how it is laid", closed: "closed: seen once it is confirmed" },
  lock: { "on-confirm": "once confirmed", "on-place": "as soon as it is placed" },
  equality: { allowed: "are allowed", strict: "make a dead hand" },
  scoring: { "1-6": "1–6: three rows bring 3 points more", "2-4": "2–4: two or three rows bring 1 point more" },
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
};

const royaltyTables: Record<string, string> = {
  american: "American",
  "vegas-2013": "Vegas 2013: any trips on top earn 20",
  "early-2013": "early 2013: less in the middle and the bottom",
  own: "one of your own",
};

const stays: Record<string, string> = {
  "top-trips": "trips on top",
  "middle-full-house": "a full house or better in the middle",
  "middle-quads": "quads or better in the middle",
  "bottom-quads": "quads or better at the bottom",
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
      return `a pair of ${text.replaceAll("T", "10")} or better on top`;
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
      return `${text} s`;
    case "point_price":
      return text;
    default:
      return options[field][text] ?? text;
  }
}

export const en: HouseWords = {
  why: (detail) => (detail === "" ? "This cannot be played" : detail.charAt(0).toUpperCase() + detail.slice(1)),
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
  },
  options,
  royaltyTables,
  stays,
  say,
  hints: {
    loser: "Five points can win thirty-nine at the risk of five.",
    lines: "Who wins a row gets his own royalty for that row, and no other is paid.",
    notYet: "not played yet",
    seconds: "seconds",
    places: "Seats",
    atLeast: "Begin when there are at least",
    same: "all the same",
    tops: ["queens", "kings", "aces", "trips"],
    lists: [
      "Pairs on top, twos to aces",
      "Trips on top, twos to aces",
      "Middle: trips, straight, flush, full house, quads, straight flush, royal",
      "Bottom: trips, straight, flush, full house, quads, straight flush, royal",
    ],
    least: "least",
    most: "most",
    none: "none",
  },
  form: {
    rules: "Rules",
    house: "House rules",
    differs: (base) => `Not as in the set “${base}”:`,
    same: (base) => `All as in the set “${base}”`,
    all: "All rules of the table",
    back: "As in the set again",
    price: "Price of a point, ₽",
    priceHint: (point, stack, points) => `${points} = ${stack}, a point = ${point}`,
    priceFree: "For fun: no money in the score",
  },
};
