import type { Reason } from "../api";
import type { Card } from "../protocol";
import { rankOf, type Row, type Worth } from "../rules/rows";
import { clock, plurals, signed } from "./numbers";

const count = plurals("ru");

interface RankWord {
  /** кто? двойка */
  one: string;
  /** до кого? до двойки */
  of: string;
  /** пара кого? двоек */
  many: string;
}
const RANKS: Record<number, RankWord> = {
  2: { one: "двойка", of: "двойки", many: "двоек" },
  3: { one: "тройка", of: "тройки", many: "троек" },
  4: { one: "четвёрка", of: "четвёрки", many: "четвёрок" },
  5: { one: "пятёрка", of: "пятёрки", many: "пятёрок" },
  6: { one: "шестёрка", of: "шестёрки", many: "шестёрок" },
  7: { one: "семёрка", of: "семёрки", many: "семёрок" },
  8: { one: "восьмёрка", of: "восьмёрки", many: "восьмёрок" },
  9: { one: "девятка", of: "девятки", many: "девяток" },
  10: { one: "десятка", of: "десятки", many: "десяток" },
  11: { one: "валет", of: "валета", many: "валетов" },
  12: { one: "дама", of: "дамы", many: "дам" },
  13: { one: "король", of: "короля", many: "королей" },
  14: { one: "туз", of: "туза", many: "тузов" },
};
/** Пара дам, но пара 8: короче и читается сразу. */
const many = (rank = 0): string => (rank > 10 ? word(rank).many : String(rank));
const of = (rank = 0): string => (rank > 10 ? word(rank).of : String(rank));
const word = (rank = 0): RankWord => RANKS[rank] ?? { one: "", of: "", many: "" };
/** Карта называется так, как на ней написано: кто говорит с экраном, скажет то, что видит. */
const named = (rank = 0): string => (rank > 10 ? word(rank).one : String(rank));
const face = (rank = 0): string => ({ 11: "J", 12: "Q", 13: "K", 14: "A" })[rank] ?? String(rank);
const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const SUITS: Record<string, string> = { s: "пик", h: "червей", d: "бубен", c: "треф" };

const rows: Record<Row, string> = { top: "Верх", middle: "Середина", bottom: "Низ" };
const rowOf: Record<Row, string> = { top: "верха", middle: "середины", bottom: "низа" };

function worth({ category, ranks }: Worth): string {
  const [first, second] = ranks;
  switch (category) {
    case "high-card":
      return capital(word(first).one);
    case "pair":
      return `Пара ${many(first)}`;
    case "two-pair":
      return `Две пары, ${face(first)} и ${face(second)}`;
    case "trips":
      return `Сет ${many(first)}`;
    case "straight":
      return `Стрит до ${of(first)}`;
    case "flush":
      return `Флеш от ${of(first)}`;
    case "full-house":
      return `Фулл, ${face(first)} и ${face(second)}`;
    case "quads":
      return `Каре ${many(first)}`;
    case "straight-flush":
      return first === 14 ? "Роял-флеш" : `Стрит-флеш до ${of(first)}`;
  }
}

function needs({ category, ranks }: Worth): string {
  switch (category) {
    case "high-card":
      return "нужна карта старше";
    case "pair":
      return `нужна пара ${face(ranks[0])}${ranks[0] === 14 ? "" : "+"}`;
    case "two-pair":
      return "нужны две пары";
    case "trips":
      return "нужен сет";
    case "straight":
      return "нужен стрит";
    case "flush":
      return "нужен флеш";
    case "full-house":
      return "нужен фулл";
    case "quads":
      return "нужно каре";
    case "straight-flush":
      return "нужен стрит-флеш";
  }
}

function refusal({ code, args }: Reason): string {
  const arg = (name: string): string => String(args[name] ?? "");
  switch (code) {
    case "bad-json":
    case "too-large":
    case "unknown-type":
    case "bad-field":
      return "Комната не поняла эту страницу. Обновите её";
    case "too-fast":
      return "Слишком много сообщений подряд. Подождите секунду";
    case "bad-placement":
    case "cards-not-yours":
      return "Такой ход не записать: этих карт нет на руках";
    case "wrong-count":
      return `На этой улице кладут ${arg("needed")}, а положено ${arg("placed")}`;
    case "row-full":
      return "В этом ряду больше нет места";
    case "not-discarded":
      return "Не все карты разложены или сброшены";
    case "no-hand":
      return "Раздача не идёт";
    case "hand-running":
      return "Идёт раздача. Это подождёт до её конца";
    case "not-your-turn":
      return "Сейчас ходит другой";
    case "turn-over":
      return "Этот ход уже закончен";
    case "no-table":
      return "Такого стола нет";
    case "not-seated":
      return "Это может только тот, кто сидит за столом";
    case "already-seated":
      return "Вы уже сидите за этим столом";
    case "seat-taken":
      return "Это место заняли раньше";
    case "no-seat":
      return "Такого места нет";
    case "table-full":
      return "Все места заняты";
    case "name-taken":
      return `За этим столом уже есть ${arg("name")}. Возьмите другое имя`;
    case "bad-name":
      return `Имя: от 1 до ${arg("longest")} букв, цифр, пробелов и знаков . - _ ', хотя бы одна буква или цифра, и одна азбука в слове`;
    case "already-ready":
      return "Вы уже готовы";
    case "nothing-to-undo":
      return "Вы и так за столом";
    case "not-a-guest":
      return "Сначала назовите себя";
    case "bad-rule":
      return `Так стол не открыть: ${arg("name")} = ${arg("value")}`;
    case "not-kept":
      return "Комната не смогла это сохранить. Ничего не изменилось, попробуйте ещё раз";
    case "closing":
      return "Комната закрывается и скоро вернётся";
    case "offline":
      return "Нет связи с комнатой";
  }
}

export const ru = {
  brand: "Ананас",
  page: { yourTurn: "Ваш ход" },
  language: "Русский",

  rows,
  worth,
  needs,
  refusal,
  card: (card: Card) => `${named(rankOf(card))} ${SUITS[card.charAt(1)] ?? ""}`,
  closedCard: "закрытая карта",
  empty: "пусто",
  royalty: (points: number) => `роялти ${points}`,
  weaker: (than: Row) => `слабее ${rowOf[than]}`,
  needsKicker: "нужен кикер старше",
  beyondRepair: "уже не исправить",
  points: (n: number) => count(n, { one: "# очко", few: "# очка", many: "# очков", other: "# очка" }),
  seconds: (n: number) => `${n} с`,
  or: "или",
  close: "Закрыть",
  bot: "бот",
  you: "Вы",
  seat: (n: number) => `Место ${n}`,

  home: {
    title: "Открытый китайский покер с друзьями",
    lead: "Тринадцать карт в три ряда, пять улиц, ничего лишнего. Откройте стол и позовите друзей ссылкой: без регистрации и скачивания.",
    name: "Ваше имя",
    namePlaceholder: "Как вас называть",
    nameNeeded: "Сначала напишите имя",
    quick: "Сыграть с ботом",
    quickHint: "Стол на двоих откроется сразу",
    open: "Открыть стол",
    tableName: "Название стола",
    tableDefault: "Вечерний стол",
    quickTable: "Партия с ботом",
    seats: "Мест",
    bots: "Ботов",
    noBots: "без ботов",
    price: "Цена очка, ₽",
    priceHint: (point: string, stack: string, points: string) => `${points} = ${stack}, очко = ${point}`,
    priceFree: "На интерес: денег в счёте не будет",
    join: "Войти по ссылке",
    joinLabel: "Ссылка или код стола",
    joinPlaceholder: "Ссылка или код",
    joinBad: "Здесь нет ни ссылки на стол, ни его кода",
    enter: "Войти",
    seatedAt: (name: string) => `Вы за столом «${name}»`,
    return: "Вернуться",
    back: "На главную",
    notFound: "Такого стола нет. Проверьте ссылку или откройте свой стол",
  },

  settings: {
    theme: "Тема",
    themes: { system: "Авто", dark: "Ночь", light: "День" },
    language: "Язык",
  },

  line: {
    connecting: "Подключаемся к столу…",
    lost: "Связь потеряна, подключаемся снова…",
  },

  table: {
    menu: "Меню стола",
    leaveTable: "Уйти со страницы стола",
    street: (n: number, of: number) => `улица ${n} из ${of}`,
    hand: (n: number) => `Раздача ${n}`,
    before: "До первой раздачи",
    showdown: "Вскрытие",
    spectators: (n: number) => count(n, { one: "# зритель", few: "# зрителя", many: "# зрителей", other: "# зрителя" }),
    boardOf: (name: string) => `Расклад: ${name}`,
    yourBoard: "Ваш расклад",
    yourCards: "Ваши карты",
    button: "Баттон",
    host: "хозяин стола",
    score: "Счёт",
    hands: (n: number) => count(n, { one: "# раздача", few: "# раздачи", many: "# раздач", other: "# раздачи" }),
    stack: (points: string, money: string | null) => `стек ${points}${money === null ? "" : ` · ${money}`}`,
    discarded: "сброс",
    discardedCount: (n: number) => `сброшено карт: ${n}`,
    royalties: (points: number) => `Роялти ${signed(points)}`,
    royaltyTable: "Роялти",
    dead: "Мёртвая рука",
    freeSeat: "Свободное место",
    left: (name: string) => `${name} (вышел)`,
    away: "нет связи",
  },

  status: {
    thinking: "ходит",
    next: "следом",
    done: "готово",
    ready: "готов",
    notReady: "ещё не готов",
    sittingOut: "пропускает",
    leaving: "уходит",
    nextHand: "со следующей раздачи",
  },

  clock: {
    own: (ms: number) => `Ваше время на раздачу: осталось ${clock(ms)}`,
    of: (name: string, ms: number) => `${name}: осталось ${clock(ms)}`,
  },

  laying: {
    yourTurn: "Ваш ход",
    allFive: "разложите все пять",
    two: "две карты в ряды",
    done: "Всё разложено",
    confirm: "подтвердите ход",
    turnOf: (name: string) => `Ходит ${name}`,
    opensCards: "карты открыты всем",
    thinks: "думает",
    wait: "Ждём хода соперника",
    allLaid: "Все карты разложены",
    putOn: (card: string, row: Row) => `${card}: ${{ top: "на верх", middle: "в середину", bottom: "на низ" }[row]}`,
    takeBack: (card: string) => `${card}, вернуть на руки`,
    choose: (card: string) => `Выбрать: ${card}`,
    chosen: (card: string) => `Выбрана: ${card}`,
    swapDiscard: (card: string) => `${card} идёт в сброс; взять вместо последней`,
    went: { top: "верх", middle: "середина", bottom: "низ" },
    binHint: "лишняя карта\nуйдёт в сброс",
    inBin: "в сброс",
    undo: "Вернуть",
    reset: "Заново",
    left: (n: number) =>
      count(n, {
        one: "Осталась # карта",
        few: "Осталось # карты",
        many: "Осталось # карт",
        other: "Осталось # карты",
      }),
    ready: "Готов",
    discard: "Сбросить",
    sending: "Отправляем…",
    deadAsk: "Мёртвая рука. Всё равно?",
    keys: { card: "карта", row: "ряд", undo: "вернуть", reset: "заново", confirm: "готово" },
  },

  ready: {
    ready: "Готов",
    of: (ready: number, all: number) => `${ready} из ${all}`,
    othersHave: (s: number) => `у остальных ${s} с`,
    youHave: (s: number) => `осталось ${s} с`,
    waiting: "Ждём остальных",
    dealing: "Сдаём карты…",
    needMore: "Нужен хотя бы ещё один игрок",
    always: "Всегда готов",
    auto: (s: number) => `следующая через ${s} с`,
    sittingOut: "Вы пропускаете раздачи",
    back: "Вернуться в игру",
    nextHand: "Вы в следующей раздаче",
    leaving: "Вы уйдёте после раздачи",
    stay: "Остаться",
  },

  sit: {
    title: "Сесть за стол",
    name: "Ваше имя",
    sit: "Сесть",
    full: "Все места заняты, вы смотрите",
    price: (money: string) => `очко ${money}`,
    free: "на интерес",
  },

  invite: {
    title: "Пригласить",
    lead: "Отправьте ссылку другу: он напишет имя и сядет",
    full: "Места заняты, но по ссылке друг может смотреть игру",
    link: "Ссылка на стол",
    copy: "Скопировать",
    copied: "Скопировано",
    copyFailed: "Не вышло скопировать: ссылка выделена, скопируйте её сами",
    share: "Поделиться",
    qr: "QR-код ссылки на стол",
  },

  leave: {
    button: "Выйти из-за стола",
    title: "Выйти из-за стола?",
    now: "Место освободится сразу. Стек запомнится: вернётесь и сядете с ним же.",
    afterHand: "Вы доиграете эту раздачу, и место освободится после неё.",
    yes: "Выйти",
    no: "Остаться",
  },

  showdown: {
    row: "Ряд",
    scoop: "Скуп",
    threeRows: "три ряда",
    foul: "Мёртвая рука",
    royalties: "Роялти",
    difference: (own: number, other: number) => `${own} − ${other}`,
    total: "Итого",
    hand: (n: number) => `раздача ${n}`,
    won: "больше",
    lost: "меньше",
    tie: "поровну",
    notCompared: "не сравнивается",
    totals: "Счёт за столом",
  },

  rules: {
    title: "Правила",
    lines: [
      "Играют двое или трое. У каждого три ряда: верх на 3 карты, середина на 5, низ на 5.",
      "Ряды усиливаются сверху вниз: если верх сильнее середины или середина сильнее низа, рука мёртвая. Равенство допускается.",
      "Улица 1: вы получаете 5 карт и выкладываете все. Их, и то, как вы их кладёте, видят все.",
      "Улицы со 2 по 5: вы получаете 3 карты, 2 выкладываете, 1 сбрасываете. Свой сброс видите только вы.",
      "До подтверждения карты можно перекладывать как угодно; подтверждённое остаётся до конца раздачи.",
      "Каждый сравнивается с каждым, ряд с рядом: выигранный ряд стоит 1 очко, ничья ничего.",
      "Кто выиграл все 3 ряда, получает ещё 3 очка: это скуп.",
      "Мёртвая рука платит по 6 очков каждому, у кого рука не мёртвая, и его роялти; свои роялти теряет. Две мёртвые руки друг другу ничего не должны.",
      "Роялти дают за сильные ряды, кто бы ни выиграл ряд: у кого их больше, тот получает разницу.",
      "На верху бывают только старшая карта, пара и сет.",
      "На все свои ходы раздачи у вас 120 секунд, и идут они только в вашу очередь. Когда они вышли, карты за вас выкладывает стол.",
    ],
  },

  royaltyTable: {
    pairs: "Пара 66–AA",
    kinds: ["Сет", "Стрит", "Флеш", "Фулл", "Каре", "Стрит-флеш", "Роял-флеш"],
  },

  said: {
    turn: (street: number, cards: string) => `Ваш ход, улица ${street}. Ваши карты: ${cards}`,
    deal: (hand: number) => `Раздача ${hand} началась`,
    placed: (name: string, cards: string) => `${name}: ${cards}`,
    result: (hand: number, points: number) => `Раздача ${hand} закончена. Ваш результат: ${signed(points)}`,
    over: (hand: number) => `Раздача ${hand} закончена`,
    left: (s: number) => `Осталось ${s} секунд`,
    sat: (name: string) => `${name} за столом`,
  },
};

/** What every language has to say. */
export type Messages = typeof ru;
