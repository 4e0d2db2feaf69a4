import type { Reason } from "../api";
import { rankOf, type Row, type Worth } from "../rules/rows";
import { clock, plurals, signed } from "../i18n/numbers";
import type { Messages } from "./ru";

const count = plurals("en");

const NAMES: Record<number, string> = { 11: "jack", 12: "queen", 13: "king", 14: "ace" };
const NUMBERS = ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const one = (rank = 0): string => NAMES[rank] ?? NUMBERS[rank - 2] ?? "";
/** Kings, but 10s: figures read at once where the name is long. */
const many = (rank = 0): string => (rank > 10 ? `${one(rank)}s` : `${rank}s`);
/** A card is called what is written on it: who talks to the screen says what he sees. */
const named = (rank = 0): string => NAMES[rank] ?? String(rank);
const face = (rank = 0): string => ({ 11: "J", 12: "Q", 13: "K", 14: "A" })[rank] ?? String(rank);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const SUITS: Record<string, string> = { s: "spades", h: "hearts", d: "diamonds", c: "clubs" };

const rows: Record<Row, string> = { top: "Top", middle: "Middle", bottom: "Bottom" };
const rowNames: Record<Row, string> = { top: "top", middle: "middle", bottom: "bottom" };

function worth({ category, ranks }: Worth): string {
  const [first, second] = ranks;
  switch (category) {
    case "high-card":
      return first === undefined ? "" : `${capital(one(first))} high`;
    case "pair":
      return `Pair of ${many(first)}`;
    case "two-pair":
      return `Two pair, ${face(first)} & ${face(second)}`;
    case "trips":
      return `Three ${many(first)}`;
    case "straight":
      return `Straight to ${face(first)}`;
    case "flush":
      return `Flush to ${face(first)}`;
    case "full-house":
      return `Full house, ${face(first)} over ${face(second)}`;
    case "quads":
      return `Four ${many(first)}`;
    case "straight-flush":
      return first === 14 ? "Royal flush" : `Straight flush to ${face(first)}`;
  }
}

/** With an article where it wants one: a pair, but two pair. */
function some(made: Worth): string {
  const several = ["two-pair", "trips", "quads"].includes(made.category);
  return (several ? "" : "a ") + lower(worth(made));
}

function needs({ category, ranks }: Worth): string {
  switch (category) {
    case "high-card":
      return "needs a higher card";
    case "pair":
      return `needs ${many(ranks[0])}${ranks[0] === 14 ? "" : "+"}`;
    case "two-pair":
      return "needs two pair";
    case "trips":
      return "needs trips";
    case "straight":
      return "needs a straight";
    case "flush":
      return "needs a flush";
    case "full-house":
      return "needs a full house";
    case "quads":
      return "needs quads";
    case "straight-flush":
      return "needs a straight flush";
  }
}

function refusal({ code, args }: Reason): string {
  const arg = (name: string): string => String(args[name] ?? "");
  switch (code) {
    case "bad-json":
    case "too-large":
    case "unknown-type":
    case "bad-field":
      return "The room did not understand this page. Reload it";
    case "too-fast":
      return "Too many messages at once. Wait a second";
    case "too-many":
      return "Too often. Try again in a minute";
    case "bad-placement":
    case "cards-not-yours":
      return "This cannot be laid: those cards are not in your hand";
    case "wrong-count":
      return `This street wants ${arg("needed")} cards laid, not ${arg("placed")}`;
    case "row-full":
      return "There is no more room in this row";
    case "not-discarded":
      return "Not every card is laid or discarded";
    case "no-hand":
      return "No hand is being played";
    case "no-such-hand":
      return "There is no such hand, or it is still being played";
    case "hand-running":
      return "A hand is being played. This waits until it ends";
    case "match-running":
      return "A match is being played. This waits until it ends";
    case "not-your-turn":
      return "It is somebody else’s turn";
    case "turn-over":
      return "That turn is over";
    case "no-table":
      return "There is no such table";
    case "not-seated":
      return "Only who sits at the table may do this";
    case "already-seated":
      return "You sit at this table already";
    case "elsewhere":
      return "You play from another window. Press “Play here” first";
    case "not-host":
      return "Only the host of the table may do this";
    case "on-break":
      return "The host has stopped the game. Wait until it goes on";
    case "held":
      return "Several have lost their connection. All clocks stand until they are back";
    case "no-seed":
    case "other-seed":
      return "Your seed for the shuffle was not taken";
    case "no-proof":
      return "This hand was not sealed, there is nothing to check";
    case "id-reused":
      return "The room took this for another command. Try again";
    case "not-away":
      return "This player is here. Only bots and those who are away can be taken off their seats";
    case "nobody-there":
      return "Nobody who could be the host sits there";
    case "no-bot":
      return "This bot is not free here";
    case "no-link":
      return "This link does not lead anywhere any more";
    case "seat-taken":
      return "Somebody took this seat first";
    case "no-seat":
      return "There is no such seat";
    case "table-full":
      return "All seats are taken";
    case "name-taken":
      return `There is a ${arg("name")} at this table already. Choose another name`;
    case "bad-name":
      return `A name has 1 to ${arg("longest")} letters, digits, spaces or . - _ ', at least one letter or digit, and one alphabet a word`;
    case "already-ready":
      return "You are ready already";
    case "nothing-to-undo":
      return "You are at the table as it is";
    case "sitting-out":
      return "You are sitting out already";
    case "nothing-to-waive":
      return "Only your own Fantasyland can be given up, when nobody else waits for one";
    case "not-a-guest":
      return "Say your name first";
    case "bad-buy-in":
      return `From ${arg("least")} to ${arg("most")} chips may be brought`;
    case "enough-chips":
      return "No more chips may be brought now";
    case "broke":
      return `You have no chips left: bring at least ${arg("least")} first`;
    case "unknown-bot":
      return "There is no such bot";
    case "bot-failed":
      return "The bot has failed";
    case "not-played":
      return "A hand’s review is for who played it";
    case "no-hint":
      return "Hints are given on your turn, and only where all others are bots";
    case "no-puzzle":
      return "A new day has begun, and with it another puzzle";
    case "bad-position":
    case "bad-history":
      return "This hand history cannot be read";
    case "bad-rule":
      return "A table cannot be opened with these rules";
    case "not-kept":
      return "The room could not keep this. Nothing has changed, try again";
    case "closing":
      return "The room is closing and will be back soon";
    case "offline":
      return "The room cannot be reached";
  }
}

// -- everything

export const messages: Messages = {
  brand: "Ananas",
  page: { yourTurn: "Your turn" },

  rows,
  worth,
  needs,
  refusal,
  card: (card) => `${named(rankOf(card))} of ${SUITS[card.charAt(1)] ?? ""}`,
  closedCard: "closed card",
  empty: "empty",
  royalty: (points) => `royalty ${points}`,
  weaker: (than) => `weaker than ${rowNames[than]}`,
  needsKicker: "needs a higher kicker",
  beyondRepair: "beyond repair",
  chips: (n) => count(n, { one: "# chip", other: "# chips" }),
  cards: (n) => count(n, { one: "# card", other: "# cards" }),
  points: (n) => count(n, { one: "# point", other: "# points" }),
  seconds: (n) => `${n} s`,
  or: "or",
  close: "Close",
  bot: "bot",
  you: "You",
  seat: (n) => `Seat ${n}`,

  home: {
    title: "Open-face Chinese poker with friends",
    lead: "Thirteen cards in three rows, the lower the stronger. Open a table and send your friends the link: no sign-up, no download.",
    name: "Your name",
    namePlaceholder: "What to call you",
    nameNeeded: "Write your name first",
    guest: (n) => `Guest ${n}`,
    quick: "Play a bot",
    quickHint: (bot) => `Against ${bot}, no name needed`,
    lesson: "A lesson in a minute",
    lessonHint: "New here? See how it is played",
    lessonSkip: "Skip the lesson",
    open: "Open a table",
    openHint: "And send your friends the link",
    who: "Who sees the table",
    privateTable: "By link",
    publicTable: "Everybody",
    privateHint: "Only those you send the link to can sit down.",
    publicHint: "It stands on the front page, and anybody who comes by can sit down.",
    tables: "Open tables",
    noTables: "Nobody sits at an open table now. Open your own and let everybody see it",
    tablesAway: "The room does not answer yet. The tables will be here when it is back",
    freeSeats: (n) => (n === 0 ? "no free seats" : count(n, { one: "# free seat", other: "# free seats" })),
    rulesChanged: (n) => count(n, { one: "# rule changed", other: "# rules changed" }),
    buyIn: (span) => `buy-in ${span}`,
    playing: (hand) => `playing, hand ${hand}`,
    waiting: "waiting to begin",
    sit: "Sit down",
    watch: "Watch",
    tableName: "Name of the table",
    tableDefault: "Evening table",
    quickTable: "A game with bots",
    join: "Join by link",
    joinLabel: "Link or code of a table",
    joinPlaceholder: "Link or code",
    joinBad: "This is neither a table’s link nor its code",
    joinNone: "There is no such table. Check the link or the code",
    enter: "Join",
    seatedAt: (name) => `You are at “${name}”`,
    return: "Return",
    back: "To the start",
    notFound: "There is no such table. Check the link, or open your own",
    lost: "There is no such page",
    lostHint: "Check the address, or begin at the start",
    you: "You and settings",
    save: "Save",
    saved: "Saved",
    install: "Install the app",
  },

  bots: {
    upTo: (n) => (n === 1 ? "One bot" : `Bots, up to ${n}`),
    choose: "Whom to play",
    strength: (n, of) => `strength ${n} of ${of}`,
    about: {
      kiwi: "A beginner, often mistaken",
      mango: "Dreams of Fantasyland and takes risks for it",
      papaya: "Lays steadily and safely",
      ananas: "Thinks every move over, the strongest",
    },
  },

  hint: {
    title: "Coach’s hints",
    where: "Where all others who play are bots",
    ask: "Hint",
    thinking: "The coach is thinking…",
    busy: "The coach could not think just now. Try again",
    moves: "What the coach would lay",
    lay: "Lay it so",
    dead: (percent) => `dead ${percent}`,
    expects: (points, percent) => `expects ${points}, dead hand ${percent}`,
  },

  puzzle: {
    title: "Daily puzzle",
    numbered: (n) => `no. ${n}`,
    lead: "One move a day, the same for all",
    todayIs: { solved: "Solved today", near: "Nearly solved today", not: "Missed today, tomorrow brings another" },
    streak: (n) => `${count(n, { one: "# day", other: "# days" })} in a row`,
    ask: "How would you lay it?",
    once: "The first answer counts",
    rival: "Opponent",
    rivalOf: (n) => `Opponent ${n}`,
    judging: "The coach is looking…",
    verdict: { solved: "Solved!", near: "Nearly!", not: "Not this time" },
    equal: "Your move cannot be told from the best",
    best: "There is no better move",
    lost: (points) => `The best move brings ${points} points more`,
    tomorrow: "Tomorrow brings a new puzzle.",
    share: "Share",
    shared: {
      solved: (n) => `Ananas, daily puzzle ${n}: solved at first try 🍍`,
      near: (n) => `Ananas, daily puzzle ${n}: nearly solved 🍋`,
      not: (n) => `Ananas, daily puzzle ${n}: missed 🥥`,
    },
    next: "To the new puzzle",
    soon: "The coach is still preparing today’s puzzle",
    soonHint: "It takes no more than a minute",
  },

  device: {
    play: "Play from another device",
    lead: "Point a phone’s camera here, or open the link where you want to go on: you stay the same player, with your tables and score.",
    once: (minutes) =>
      `The link works once, within ${count(minutes, { one: "# minute", other: "# minutes" })}. Show it to nobody: whoever opens it becomes you.`,
    over: "The time of this link is over.",
    again: "Make a new one",
    link: "Link for another device",
    qr: "QR code of the link for another device",
    title: "Another device",
    ask: (name) => `Go on here as ${name}?`,
    hint: "Name, tables and score will be the same on both devices.",
    instead: (name) => `This browser knows you as ${name} now. If you go on, it will forget that.`,
    yes: "Go on",
    no: "Not now",
    gone: "This link does not work any more",
    goneHint:
      "It works once, and for 10 minutes. Make a new one where you play: on the front page, in “You and settings”.",
  },

  broken: {
    title: "The page has not come whole",
    hint: "The connection broke, or the room has just been renewed.",
  },
  again: "Try again",

  sets: { room: "Room", club: "Club", "club-pineapple": "Club pineapple", progressive: "Progressive" },

  settings: {
    theme: "Theme",
    themes: { system: "Auto", dark: "Night", light: "Day" },
    suits: "Suit colours",
    palettes: { four: "Four colours", safe: "Colour-blind", two: "Red and black" },
    language: "Language",
    sound: "Sound",
    vibration: "Vibration",
    notify: "Notify me when it is my turn",
    denied: "The browser does not let this page notify you. Allow it in the settings of the site",
  },

  deck: {
    unseen: (n) => count(n, { one: "# card not seen yet", other: "# cards not seen yet" }),
    suit: "Suit",
    suits: { s: "Spades", h: "Hearts", d: "Diamonds", c: "Clubs" },
    live: "not seen yet",
    out: "gone",
    left: "Left",
  },

  senses: {
    turn: (table, street) =>
      `${table}: ${street === null ? "your Fantasyland is dealt" : `street ${street}, they wait for you`}`,
  },

  line: {
    connecting: "Calling the table…",
    lost: "Connection lost, calling again…",
  },

  table: {
    menu: "Table menu",
    leaveTable: "Leave this page",
    street: (n, of) => `street ${n} of ${of}`,
    hand: (n) => `Hand ${n}`,
    before: "Before the first hand",
    newRules: (hands) => `New rules · ${count(hands, { one: "# hand", other: "# hands" })}`,
    showdown: "Showdown",
    spectators: (n) => count(n, { one: "# spectator", other: "# spectators" }),
    boardOf: (name) => `Board: ${name}`,
    yourBoard: "Your board",
    yourCards: "Your cards",
    button: "Button",
    host: "host",
    score: "Score",
    hands: (n) => count(n, { one: "# hand", other: "# hands" }),
    stack: (chips) => `stack ${chips}`,
    match: (n, of) => `circle: match ${n} of ${of}`,
    matchShort: (n, of, hand) => `match ${n} of ${of}, hand ${hand}`,
    handOfMatch: (n) => `hand ${n} of the match`,
    fantasyOwn: "you lay Fantasyland",
    fantasyOwnClosed: "your Fantasyland, all at once",
    fantasyOther: "Fantasyland is being laid",
    closed: "a closed hand, all at once",
    hidden: (done) => (done ? "closed until the showdown" : "not seen before the showdown"),
    discarded: "discard",
    discardedCount: (n) => `cards discarded: ${n}`,
    royalties: (points) => `Royalty ${signed(points)}`,
    royaltyTable: "Royalties",
    dead: "Dead hand",
    freeSeat: "Free seat",
    left: "has left",
    total: "score",
    totalAloud: "Score at the table",
    saveHand: "Download the hand",
    saveAll: "Download all hands",
    away: "offline",
  },

  status: {
    thinking: "to play",
    next: "next",
    done: "done",
    ready: "ready",
    notReady: "not ready yet",
    sittingOut: "sitting out",
    leaving: "leaving",
    nextHand: "from the next match",
    laysFantasy: "lays Fantasyland",
    lays: "lays",
    laid: "all laid",
    fantasyLater: "Fantasyland, after all",
    later: "lays last",
    absent: "not at the table",
    broke: "no chips left",
    gotFantasy: (cards) => `Fantasyland, ${cards}`,
    staysIn: (cards) => `stays in Fantasyland, ${cards}`,
    again: (cards) => `again, ${cards}`,
    onBank: (time) => `bank ${time}`,
  },

  fantasy: {
    name: "Fantasyland",
    heading: "Fantasyland?",
    secured: "Fantasyland!",
    again: "Once more!",
    badge: (words, cards) => `${words} ${cards}`,
    yours: (cards) => `Fantasyland for you, ${cards}`,
    yourStay: (cards) => `You stay in Fantasyland, ${cards}`,
    next: (cards) => `Fantasyland, ${cards}`,
    nextAgain: (cards) => `Stay in Fantasyland, ${cards}`,
    lapsed: {
      "one-left": "Only one has chips left: Fantasyland lapses, the match is over",
      broke: "Who had Fantasyland has no chips: it lapses, the match is over",
      absent: "Who had Fantasyland is not at the table: it lapses, the match is over",
      waived: "Fantasyland was given up: the match is over",
      voided: "Fantasyland twice not counted: it lapses, the match is over",
    },
    ending: {
      "one-left": "Only one has chips left: no Fantasyland, the match ends",
      broke: "Who had Fantasyland has no chips: it lapses, the match ends",
    },
  },

  clock: {
    own: (ms) => `Your time for the hand: ${clock(ms)} left`,
    ownBank: (ms) => `Your time bank runs: ${clock(ms)} left`,
    of: (name, ms) => `${name}: ${clock(ms)} left`,
    bank: "time bank",
    bankRuns: "bank runs",
  },

  laying: {
    yourTurn: "Your turn",
    all: (n) => `lay all ${n}`,
    one: "lay the card",
    some: (n) => count(n, { one: "# card to the rows", other: "# cards to the rows" }),
    whole: (cards) => `${cards}:`,
    wholeLay: (lay, bin) => (bin === "" ? "lay all of them" : `lay ${lay}, ${bin}`),
    leftOf: (left, of) => `${left} of ${of} left`,
    bin: (n) => (n === 0 ? "all are laid" : n === 1 ? "one will be discarded" : `${n} will be discarded`),
    more: (n) => count(n, { one: "# card more", other: "# cards more" }),
    sort: "Sort",
    sorts: { dealt: "As dealt", rank: "By rank", pairs: "By pairs", suit: "By suit" },
    othersLay: (names) => `Laying: ${names.join(", ")}`,
    fantasyWaits: "your Fantasyland comes after all",
    closedWait: "cards open at the showdown",
    done: "All laid",
    confirm: "confirm your move",
    turnOf: (name) => `${name} to play`,
    opensCards: "open to everybody",
    thinks: "thinking",
    wait: "Waiting for the others",
    waitAll: "Waiting until all have laid",
    allLaid: "All cards are laid",
    putOn: (card, row) => `${card}: to the ${rowNames[row]}`,
    takeBack: (card) => `${card}, take back`,
    choose: (card) => `Choose: ${card}`,
    chosen: (card) => `Chosen: ${card}`,
    swapDiscard: (card) => `${card} goes to the discard; take it for the last one`,
    went: { top: "top", middle: "middle", bottom: "bottom" },
    binHint: "the last card\nis discarded",
    inBin: "discarded",
    undo: "Undo",
    reset: "Reset",
    left: (n) => count(n, { one: "# card left", other: "# cards left" }),
    ready: "Ready",
    discard: "Discard",
    sending: "Sending…",
    deadAsk: "Dead hand. Lay it anyway?",
    keys: { card: "card", next: "another", row: "row", sort: "sort", undo: "undo", reset: "reset", confirm: "confirm" },
  },

  ready: {
    ready: "Ready",
    of: (ready, all) => `${ready} of ${all}`,
    soon: (s) => `The hand begins in ${s} s`,
    othersHave: (s) => `${s} s for the others`,
    youHave: (s) => `${s} s left`,
    waiting: "Waiting for the others",
    dealing: "Dealing…",
    needMore: "At least one more player is needed",
    needMoreShort: "one more is needed",
    always: "Always ready",
    auto: (s) => `the next in ${s} s`,
    sittingOut: "You are sitting out",
    why: {
      "not-ready": "the time to say Ready ran out",
      broke: "no chips left",
      absent: "your time ran out while you were away",
      idle: "the table laid two hands in a row for you",
    },
    held: "Your seat is kept for 10 minutes",
    back: "Back to the game",
    nextHand: "You are in from the next match",
    leaving: "You leave after this match",
    stay: "Stay",
    sitOut: "Sit out",
    sitOutHint: "Your seat stays yours, and you are dealt no cards until you come back",
  },

  pause: {
    goOn: "Go on",
    in: (s) => `Fantasyland in ${s} s`,
    endsIn: (s) => `the match ends in ${s} s`,
    of: (gone, all) => `${gone} of ${all}`,
    gone: "Waiting for the others",
    brings: (names, s) => `${names}: no chips, ${s} s to bring some`,
    waive: "Give up Fantasyland",
    waiveTitle: "Give up Fantasyland?",
    waiveAsk:
      "Fantasyland is yours alone. Give it up, and its hand is not played: the match is over at once, for everybody at the table. The score stays as it is now.",
    waiveYes: "Give it up",
    waiveNo: "Play it",
  },

  chipsFor: {
    broke: "No chips left",
    bring: (chips) => `Bring ${chips}`,
    bringLeft: (s) => `${s} s`,
    decline: "I will not",
    topUp: "Bring chips",
    ask: (names, ends) =>
      `No chips left, Fantasyland comes: ${names}. Bring some, or the match ${ends ? "is over" : "goes on without you"}`,
    upTo: "What the stack becomes",
    buyIn: "Buy-in",
  },

  sit: {
    name: "Your name",
    sit: "Sit down",
    full: "All seats are taken, you are watching",
    price: (money) => `${money} a point`,
    free: "for fun",
  },

  invite: {
    title: "Invite",
    lead: "Send a friend the link: he writes his name and sits down",
    full: "All seats are taken, but with the link a friend can watch",
    link: "Link to the table",
    code: "Code of the table:",
    copy: "Copy",
    copied: "Copied",
    copyFailed: "Copying did not work: the link is selected, copy it yourself",
    share: "Share",
    qr: "QR code of the table’s link",
  },

  leave: {
    button: "Leave the table",
    title: "Leave the table?",
    now: "Your seat is free at once. Your stack is remembered: come back and you sit down with it.",
    afterMatch: "You play this match to its end, and your seat is free after it.",
    yes: "Leave",
    home: "To the start page, keep my seat",
    no: "Stay",
  },

  showdown: {
    row: "Row",
    scoop: "Scoop",
    threeRows: "three rows",
    most: "Most rows",
    mostRows: "two of three",
    foul: "Dead hand",
    royalties: "Royalties",
    wonRows: "for rows won",
    difference: (own, other) => `${own} − ${other}`,
    total: "Total",
    due: "To pay",
    paid: "Paid",
    skipped: "no chips",
    skippedAloud: "not settled: one of them has no chips",
    hand: (n) => `hand ${n}`,
    match: (points) => `match ${points}`,
    moved: (chips) => `chips ${chips}`,
    stack: (chips) => `stack ${chips}`,
    pair: "Pair",
    rowsAndOther: (fouls, most) => `T, M, B: rows; ±: ${most ? "most rows" : "scoop"}${fouls ? " and dead hand" : ""}`,
    combos: "Boards",
    counting: "Points",
    points: "hand",
    pointsAloud: "Points of the hand",
    won: "stronger",
    lost: "weaker",
    notCompared: "not compared",
    totals: "Score at the table",
  },

  rules: {
    title: "Rules",
    here: "The rules of this table",
    changed: (set, n) => `${set}, ${n === 1 ? "1 rule" : `${n} rules`} changed`,
    unchanged: (set) => `Rules: ${set}`,
    book: "The rule book",
    loading: "Fetching the rules…",
    failed: "The rules could not be fetched. Try again",
  },

  royaltyTable: {
    pairs: (from) => (from === "AA" ? "Pair AA" : `Pair ${from}–AA`),
    kinds: ["Trips", "Straight", "Flush", "Full house", "Quads", "Straight flush", "Royal flush"],
  },

  menu: {
    hands: "Hands",
    last: "Last hand",
    all: "All hands",
    account: "Settle up",
    deck: "Cards to come",
    table: "Table",
    lesson: "Lesson",
    seat: "Your seat",
  },

  elsewhere: {
    played: "This seat is played in another window",
    here: "Play here",
  },

  break: {
    stopped: "The game is stopped",
    byHost: "The host has stopped the game",
    atMost: (ms) => `${ms > 60_000 ? `${Math.ceil(ms / 60_000)} min` : `${Math.ceil(ms / 1000)} s`} at most`,
    stop: "Stop the game",
    goOn: "Go on with the game",
    goOnShort: "Go on",
  },

  host: {
    title: "For the host",
    seats: "Seats",
    remove: "Remove",
    removeAloud: (name) => `Remove: ${name}`,
    removeAsk: (name, inMatch) =>
      `Free the seat of ${name}? ${inMatch ? "The match is played to its end, the seat is free after it." : "The seat is free at once, the score is kept."}`,
    removeNo: "Keep",
    seatBot: "Seat a bot",
    pass: "Make host",
    passAloud: (name) => `Make host: ${name}`,
    public: "Shown to all on the home page",
    publicHint: "Otherwise it is found by its link only",
    rules: "Change the rules",
    rulesLater: "Rules are changed between matches",
    rulesNext: "Play by these rules",
    rulesSame: "These are the rules as they are now. Choose what to change",
    rulesSeats: (needed) => `Seat ${String(needed)} is taken: the table has to have ${String(needed)} seats`,
    rulesAsk:
      "The next match is played by the new rules. Everybody says Ready anew, and the circle starts again. The score stays: what was won, was won at the old price of a point.",
    rulesNo: "Back",
    rulesYes: "Change the rules",
  },

  notices: {
    break: "The host has stopped the game",
    "break-over": "The game goes on",
    removed: (name) => `The host has freed the seat of ${name}`,
    "bot-seated": (name) => `The host has seated a bot: ${name}`,
    "bot-removed": (name) => `The host has removed the bot ${name}`,
    "rules-changed": "The rules of this table have changed",
    rules: (changes, more) => `New rules. ${changes.join("; ")}${more > 0 ? `; and ${more} more` : ""}`,
    host: (name) => `${name} is the host now`,
    hostYou: "You are the host now",
    public: "The table is shown on the home page",
    private: "The table is not on the home page any more",
    held: "All clocks stand: we wait for everybody",
    "hold-over": "The clocks run again",
    "voided-fault": "Hand not counted: the room failed",
    "voided-outage": "Hand not counted: the room was away",
    stalled: "The room was late. Nobody loses this time",
    resumed: "The room is back. The clocks stood while it was away",
  },
  hold: {
    lost: "Several have lost their connection",
    outage: "The room was away, we wait for everybody",
    stand: "All clocks stand",
    later: "your move will wait",
    atMost: (ms: number) => `All clocks stand, at most ${clock(ms)}`,
    voided: (hand: number, fault: boolean) =>
      `Hand ${hand} does not count: the room ${fault ? "made a mistake" : "was away too long"}.`,
    before: "Chips, Fantasyland and button are as before it",
  },
  fair: {
    unsealed: "This deal is not sealed",
    waiting: "This deal is sealed",
    unproved: "Cards without a proof",
    seedless: "Only the room has shuffled",
    uncounted: "Your seed did not count",
    checked: (n: number) => `${n === 1 ? "1 card" : `${n} cards`} checked`,
    failed: "The deal does not fit",
    failedDo: "Keep the proof",
    open: "Check of the deal",
  },
  lag: { medium: "Slow connection", weak: "Weak connection" },

  phrases: {
    title: "Say something",
    heard: "Talk",
    nothing: "Say something to the table",
    more: "More…",
    says: (name, words) => `${name}: ${words}`,
    mute: "Whom not to hear",
    muteAll: "Everybody",
    text: {
      hello: "Hello!",
      "good-luck": "Good luck!",
      "nice-hand": "Nice hand!",
      "well-played": "Well played",
      thanks: "Thanks!",
      sorry: "Sorry",
      unlucky: "Unlucky",
      hurry: "We wait for you",
      "one-moment": "One moment",
      back: "I am back",
      "one-more": "One more?",
      bye: "Bye!",
      clap: "Applause",
      laugh: "Laughter",
      wow: "Wow!",
      heart: "Heart",
      fire: "Fire",
      tears: "Tears",
    },
  },

  lesson: {
    title: "Lesson",
    rival: "Kiwi",
    skip: "Skip",
    hint: "Hint",
    order: "The lower a row, the stronger it must be: nines go to the bottom",
    queen: "The queen goes on top, where there are only three places",
    rest: (card, row) => `The ${card} goes to the ${rowNames[row]}`,
    same: (card) => `And the ${card} too`,
    otherwise: (text) => `That works too. ${text}`,
    ready: "Press “Ready”; until then every card can still be moved",
    wait: "Now it is Kiwi’s turn",
    three: "From now on three cards: two go to rows, one is thrown away",
    firstDiscard: "Press “Discard”: nobody will see the card you throw away",
    discard: "Throw the third card away",
    saved: "The hand is saved! Throw the third card away",
    choose: (card) => `Choose the ${card}`,
    anotherQueen: "Another queen! Choose her",
    queens: "Queen to queen: a pair of them on top leads to Fantasyland",
    saves: (row, than, rank) =>
      `If the ${rowNames[than]} beats the ${rowNames[row]}, the hand is dead and loses: the ${one(rank)} saves it`,
    makes: (row, made) => `To the ${rowNames[row]}: that makes ${some(made)}`,
    wrong: {
      queen: "The queen belongs on top, take the card back",
      room: "The three places on top are for queens: take the card back",
      dead: "That hand is dead, a row beats the one below: take the card back",
      order: "So a row beats the one below it: take the card back",
      weak: "So the lower rows will be too weak: take the card back",
    },
    rowByRow: "Row is set against row: each one won is a point",
    scoop: (points) => `All three rows are yours: that is a scoop, ${points} more`,
    royalties: (own, other) => `Royalties are paid for strong rows: ${own} to you, ${other} to Kiwi`,
    fantasy: (cards) => `Queens on top bring Fantasyland: ${cards} at once in the next hand`,
    end: "That is the whole game. Off to a table?",
    again: "Once more",
  },

  replay: {
    seal: "seal",
    hands: "Hands",
    loading: "Opening…",
    retry: "Try again",
    none: "No hands yet",
    noneHint: "Hands that were played appear here, and each can be watched again step by step",
    match: (n) => `Match ${n}`,
    toTable: "To the table",
    toHands: "To the list of hands",
    noHand: "There is no such hand",
    noHandHint: "It has not been played yet, or the address is wrong",
    noLink: "This link leads nowhere",
    noLinkHint: "Perhaps only a part of it was copied. Ask for it once more",
    bySteps: "Watch it step by step",
    previous: "Previous hand",
    next: "Next hand",
    steps: "Course of the hand",
    step: "Step",
    of: (n, all) => `${n} of ${all}`,
    first: "To the beginning",
    back: "One step back",
    play: "Watch",
    pause: "Pause",
    again: "Once more",
    on: "One step on",
    last: "To the showdown",
    dealt: "Cards are dealt",
    move: (street, name, byTable) => {
      const where = street === null ? "Fantasyland" : `Street ${street}`;
      if (byTable) return name === null ? `${where}, the table lays for you` : `${where}, ${name}: laid by the table`;
      if (street === null) return name === null ? "Your Fantasyland" : `Fantasyland, ${name}`;
      return name === null ? `${where}, your turn` : `${where}, ${name}`;
    },
    waits: (you) => (you ? "wait" : "waits"),
    moves: (you) => (you ? "your turn" : "plays"),
    follows: (you) => (you ? "you are next" : "next"),
    byTable: "laid by the table",
    then: (name) => (name === null ? "Next: your turn" : `Next: ${name}`),
    inHand: "Cards in hand",
    cards: (n) => count(n, { one: "# card in hand", other: "# cards in hand" }),
    closed: "cards are not shown",
    countedNext: "the showdown is next",
    player: (n) => `Player ${n}`,
    share: "Share this hand",
    showsYours:
      "The link shows what you saw: the boards, your cards and your discards. Nobody sees the others’ discards.",
    showsAll: "The link shows what spectators saw: everybody’s board. Nobody sees any discards.",
    names: "Names of players",
    withNames: "With names",
    withoutNames: "Without names",
    namesHint: (names) =>
      names
        ? "The players’ names and the table’s name stay."
        : "Names become “Player 1”, “Player 2”, and the table’s name is left out.",
    makeLink: "Get a link",
    link: "Link to the hand",
    fileHint: "The hand written down as text",
    seenBy: (name) => `Shown as ${name} saw the hand: with that player’s discards and no others.`,
    seenByAll: "Shown as spectators saw the hand: discards stay face down.",
    join: "Visit the room",
  },

  review: {
    title: (n: number) => `Review of hand ${n}`,
    open: "Review",
    result: "Result",
    right: "everyone’s Fantasyland",
    decisions: "decisions",
    byTable: "the table",
    luck: "luck",
    line: "What to expect of the hand",
    end: "end",
    streets: "Streets",
    street: (n: number | null) => (n === null ? "Fantasyland" : `Street ${n}`),
    short: (n: number | null) => (n === null ? "Fant." : `St. ${n}`),
    verdict: {
      best: "best move",
      equal: "as good as the best",
      near: "nearly the best",
      inaccuracy: "inaccuracy",
      mistake: "mistake",
      forced: "no choice",
    },
    automatic: "laid by the table",
    judging: "working it out…",
    yours: "Your move",
    before: "In the hand",
    now: "Now",
    best: "Best",
    second: "Second best",
    foul: (chance: string) => `dead hand ${chance}`,
    fantasy: (chance: string) => `Fantasyland ${chance}`,
    others: "Opponents on this street",
    inside: (cards: string) => `in Fantasyland, ${cards}`,
    moves: "Moves",
    points: "points on average",
    tag: { yours: "yours", equal: "too close to tell" },
    place: (n: number, of: number) => `no. ${n} of ${of}`,
    guess: "at a glance",
    exact: "Every way it can go on was counted.",
    sampled: "Moves were played on with random cards; ± is one standard error.",
    guessed: "“At a glance”: judged without playing on.",
    better: "There was better here. Can you find it?",
    again: "Replay the street",
    answer: "Show the answer",
    back: "Back to the review",
    tried: {
      best: "Found! This is the best move",
      equal: "Found! Too close to the best to tell",
      better: "Better than in the hand, but there is better still",
      close: "Too close to the move in the hand to tell",
      same: "As it was in the hand",
      worse: "Worse than in the hand",
    },
    toBest: (loss: string) => `${loss} points short of the best`,
    previous: "Previous street",
    next: "Next street",
    mistakes: (n: number) => count(n, { one: "# mistake", other: "# mistakes" }),
    inaccuracies: (n: number) => count(n, { one: "# inaccuracy", other: "# inaccuracies" }),
    clean: "no mistakes",
  },

  account: {
    title: "Settling up",
    none: "Nothing to settle yet",
    noneHint: "Play a hand, and here you will see who has won how much and who pays whom",
    lasted: (h, m) => (h === 0 ? `${m} min` : m === 0 ? `${h} h` : `${h} h ${m} min`),
    won: "Who has won how much",
    left: "not at the table any more",
    pays: "Who pays whom",
    payment: (payer, payee, amount) => `${payer} pays ${payee} ${amount}`,
    even: "Nobody owes anybody anything",
    bots: "Bots have no purse: only what people won from one another is paid",
    due: (amount) => `with people ${amount}`,
    zero: "It adds up: what was won and what was lost come to zero",
    price: (money) => `${money} a point`,
    text: "The account as text",
    picture: "The account as a picture",
    copyFailed: "It could not be copied: please copy the text yourself",
  },

  said: {
    turn: (street, cards) => `Your turn, street ${street}. Your cards: ${cards}`,
    deal: (hand) => `Hand ${hand} has begun`,
    placed: (name, cards) => `${name}: ${cards}`,
    result: (hand, points) => `Hand ${hand} is over. Your result: ${signed(points)}`,
    over: (hand) => `Hand ${hand} is over`,
    left: (s) => `${s} seconds left`,
    bank: "Your time for the hand is spent, the time bank runs",
    sat: (name) => `${name} is at the table`,
    fantasyTurn: (all, lay, cards) => `Your Fantasyland: ${all} cards, lay ${lay}. Your cards: ${cards}`,
    closed: "All lay at once, cards open at the showdown",
    laid: (name) => `${name}: all laid`,
    gets: (name, cards) => `${name}: Fantasyland, ${cards} cards`,
    stays: (name, cards) => `${name} stays in Fantasyland, ${cards} cards`,
    broke: (name) => `${name}: no chips left`,
    brought: (name) => `${name} has chips again`,
    absent: (name) => `${name}: time is spent, the table lays his cards`,
    match: (points) => `The match is over. Your result of the match: ${signed(points)}`,
    matchOver: "The match is over",
  },
};
