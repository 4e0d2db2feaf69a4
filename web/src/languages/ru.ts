import type { Reason } from "../api";
import type { BotName } from "../bots/bots";
import type { Card, Say } from "../protocol";
import { rankOf, type Row, type Worth } from "../rules/rows";
import { clock, plurals, signed } from "../i18n/numbers";

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
const lower = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
const SUITS: Record<string, string> = { s: "пик", h: "червей", d: "бубен", c: "треф" };

const rows: Record<Row, string> = { top: "Верх", middle: "Середина", bottom: "Низ" };
const rowOf: Record<Row, string> = { top: "верха", middle: "середины", bottom: "низа" };
/** Куда? */
const to: Record<Row, string> = { top: "на верх", middle: "в середину", bottom: "на низ" };

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
    case "too-many":
      return "Слишком часто. Попробуйте через минуту";
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
    case "no-such-hand":
      return "Такой раздачи нет, или она ещё идёт";
    case "hand-running":
      return "Идёт раздача. Это подождёт до её конца";
    case "match-running":
      return "Идёт матч. Это подождёт до его конца";
    case "not-your-turn":
      return "Сейчас ходит другой";
    case "turn-over":
      return "Этот ход уже закончен";
    case "no-table":
      return "Такого стола нет";
    case "not-seated":
      return "Только для тех, кто за столом";
    case "already-seated":
      return "Вы уже сидите за этим столом";
    case "elsewhere":
      return "Сначала нажмите «Играть здесь»";
    case "not-host":
      return "Это может только хозяин стола";
    case "on-break":
      return "Хозяин остановил игру. Дождитесь, пока она продолжится";
    case "held":
      return "Несколько игроков потеряли связь. Часы стоят, пока они не вернутся";
    case "no-seed":
    case "other-seed":
      return "Ваше число для тасования не принято";
    case "no-proof":
      return "Эту раздачу не запечатывали, проверять нечего";
    case "id-reused":
      return "Комната приняла это за другую команду. Попробуйте ещё раз";
    case "not-away":
      return "Он на месте. Убирают ботов и тех, кого нет";
    case "nobody-there":
      return "На этом месте нет того, кто мог бы стать хозяином стола";
    case "no-bot":
      return "Этот бот уже занят";
    case "no-link":
      return "Эта ссылка больше никуда не ведёт";
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
    case "sitting-out":
      return "Вы и так пропускаете";
    case "nothing-to-waive":
      return "Отказаться можно только от своей фантазии, когда её ждёте вы один";
    case "not-a-guest":
      return "Сначала назовите себя";
    case "bad-buy-in":
      return `Внести можно от ${arg("least")} до ${arg("most")} кушей`;
    case "enough-chips":
      return "Больше кушей сейчас не внести";
    case "broke":
      return `Кушей не осталось: сначала внесите хотя бы ${arg("least")}`;
    case "unknown-bot":
      return "Такого бота нет";
    case "bot-failed":
      return "Бот сломался";
    case "not-played":
      return "Разбор видит только тот, кто играл эту раздачу";
    case "no-hint":
      return "Подсказывают, только когда ваш ход и кроме вас за столом одни боты";
    case "no-puzzle":
      return "Наступил новый день, и задача уже другая";
    case "bad-position":
    case "bad-history":
      return "Эту запись раздачи не прочесть";
    case "bad-rule":
      return "С такими правилами стол не открыть";
    case "not-kept":
      return "Комната не смогла это сохранить. Ничего не изменилось, попробуйте ещё раз";
    case "closing":
      return "Комната закрывается и скоро вернётся";
    case "offline":
      return "Нет связи с комнатой";
  }
}

// -- everything

export const messages = {
  brand: "Ананас",
  page: { yourTurn: "Ваш ход" },

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
  chips: (n: number) => count(n, { one: "# куш", few: "# куша", many: "# кушей", other: "# куша" }),
  cards: (n: number) => count(n, { one: "# карта", few: "# карты", many: "# карт", other: "# карты" }),
  points: (n: number) => count(n, { one: "# очко", few: "# очка", many: "# очков", other: "# очка" }),
  seconds: (n: number) => `${n} с`,
  or: "или",
  close: "Закрыть",
  bot: "бот",
  you: "Вы",
  seat: (n: number) => `Место ${n}`,

  home: {
    title: "Открытый китайский покер с друзьями",
    lead: "Тринадцать карт в три ряда, чем ниже, тем сильнее. Откройте стол и позовите друзей ссылкой: без регистрации и скачивания.",
    name: "Ваше имя",
    namePlaceholder: "Как вас называть",
    nameNeeded: "Сначала напишите имя",
    guest: (n: number) => `Гость ${n}`,
    quick: "Играть с ботом",
    quickHint: (bot: string) => `Против ${bot}, имя не нужно`,
    lesson: "Урок за минуту",
    lessonHint: "Впервые здесь? Покажем, как играть",
    lessonSkip: "Пропустить урок",
    open: "Открыть стол",
    openHint: "И позвать друзей ссылкой",
    who: "Кому виден стол",
    privateTable: "По ссылке",
    publicTable: "Всем",
    privateHint: "Сядут только те, кому вы отправите ссылку.",
    publicHint: "Стол будет на главной странице, и сесть сможет любой, кто зайдёт.",
    tables: "Открытые столы",
    noTables: "Сейчас за общими столами никого нет. Откройте свой и сделайте его видным всем",
    tablesAway: "Комната пока не отвечает. Столы появятся, когда она вернётся",
    freeSeats: (n: number) =>
      n === 0
        ? "мест нет"
        : count(n, {
            one: "свободно # место",
            few: "свободно # места",
            many: "свободно # мест",
            other: "свободно # места",
          }),
    rulesChanged: (n: number) => `изменено правил: ${n}`,
    buyIn: (span: string) => `взнос ${span}`,
    playing: (hand: number) => `играют, раздача ${hand}`,
    waiting: "ждут начала",
    sit: "Сесть",
    watch: "Смотреть",
    tableName: "Название стола",
    tableDefault: "Вечерний стол",
    quickTable: "Партия с ботом",
    join: "Войти по ссылке",
    joinLabel: "Ссылка или код стола",
    joinPlaceholder: "Ссылка или код",
    joinBad: "Здесь нет ни ссылки на стол, ни его кода",
    joinNone: "Такого стола нет. Проверьте ссылку или код",
    enter: "Войти",
    seatedAt: (name: string) => `Вы за столом «${name}»`,
    return: "Вернуться",
    back: "На главную",
    notFound: "Такого стола нет. Проверьте ссылку или откройте свой стол",
    lost: "Такой страницы нет",
    lostHint: "Проверьте адрес или начните с главной",
    you: "Вы и настройки",
    save: "Сохранить",
    saved: "Сохранено",
    install: "Установить приложение",
  },

  bots: {
    upTo: (n: number) => (n === 1 ? "Один бот" : `Боты, не больше ${n}`),
    choose: "С кем играть",
    strength: (n: number, of: number) => `сила ${n} из ${of}`,
    about: {
      kiwi: "Новичок, часто ошибается",
      mango: "Мечтает о фантазии, ради неё рискует",
      papaya: "Кладёт ровно и надёжно",
      ananas: "Думает над каждым ходом, сильнее всех",
    } satisfies Record<BotName, string>,
  },

  hint: {
    title: "Подсказки тренера",
    where: "Когда кроме вас играют только боты",
    ask: "Подсказка",
    thinking: "Тренер думает…",
    busy: "Тренер сейчас не смог подумать. Попробуйте ещё раз",
    moves: "Что положил бы тренер",
    lay: "Положить так",
    dead: (percent: string) => `мёртвая ${percent}`,
    expects: (points: string, percent: string) => `ожидание ${points}, мёртвая рука ${percent}`,
  },

  puzzle: {
    title: "Задача дня",
    numbered: (n: number) => `№${n}`,
    lead: "Один ход в день, для всех один",
    todayIs: { solved: "Сегодня решена", near: "Сегодня почти решена", not: "Сегодня не далась, завтра будет новая" },
    streak: (n: number) => `${count(n, { one: "# день", few: "# дня", many: "# дней", other: "# дня" })} подряд`,
    ask: "Как бы вы положили?",
    once: "Считается первый ответ",
    rival: "Соперник",
    rivalOf: (n: number) => `Соперник ${n}`,
    judging: "Тренер смотрит…",
    verdict: { solved: "Решено!", near: "Почти!", not: "Не в этот раз" },
    equal: "Ваш ход не отличить от лучшего",
    best: "Лучше хода нет",
    lost: (points: string) => `Лучший ход приносит на ${points} очка больше`,
    tomorrow: "Завтра здесь будет новая задача.",
    share: "Поделиться",
    shared: {
      solved: (n: number) => `Ананас, задача дня №${n}: решено с первого раза 🍍`,
      near: (n: number) => `Ананас, задача дня №${n}: почти решено 🍋`,
      not: (n: number) => `Ананас, задача дня №${n}: не далась 🥥`,
    },
    next: "К новой задаче",
    soon: "Тренер ещё готовит сегодняшнюю задачу",
    soonHint: "Это займёт не больше минуты",
  },

  device: {
    play: "Играть с другого устройства",
    lead: "Наведите камеру телефона или откройте ссылку там, где хотите продолжить: вы останетесь тем же игроком, столы и счёт сохранятся.",
    once: (minutes: number) =>
      `Ссылка сработает один раз, в ближайшие ${count(minutes, { one: "# минуту", few: "# минуты", many: "# минут", other: "# минуты" })}. Никому её не показывайте: кто её откроет, станет вами.`,
    over: "Время этой ссылки вышло.",
    again: "Сделать новую",
    link: "Ссылка для другого устройства",
    qr: "QR-код ссылки для другого устройства",
    title: "Другое устройство",
    ask: (name: string) => `Продолжить здесь как ${name}?`,
    hint: "Имя, столы и счёт будут общими на обоих устройствах.",
    instead: (name: string) => `Сейчас этот браузер помнит вас как ${name}. Если продолжить, он это забудет.`,
    yes: "Продолжить",
    no: "Не сейчас",
    gone: "Эта ссылка уже не действует",
    goneHint:
      "Она срабатывает один раз и в течение 10 минут. Новую можно сделать там, где вы играете: на главной, в «Вы и настройки».",
  },

  broken: {
    title: "Страница загрузилась не вся",
    hint: "Прервалась связь, или комната как раз обновилась.",
  },
  again: "Попробовать ещё раз",

  sets: { room: "Комната", club: "Клуб", "club-pineapple": "Клубный ананас", progressive: "Прогрессивный" },

  settings: {
    theme: "Тема",
    themes: { system: "Авто", dark: "Ночь", light: "День" },
    suits: "Цвета мастей",
    palettes: { four: "Четыре цвета", safe: "Для дальтоников", two: "Красные и чёрные" },
    language: "Язык",
    sound: "Звук",
    vibration: "Вибрация",
    notify: "Уведомлять, когда мой ход",
    denied: "Браузер не даёт показывать уведомления. Разрешите их в настройках сайта",
  },

  deck: {
    unseen: (n: number) =>
      count(n, {
        one: "Ещё не видно # карты",
        few: "Ещё не видно # карт",
        many: "Ещё не видно # карт",
        other: "Ещё не видно # карты",
      }),
    suit: "Масть",
    suits: { s: "Пики", h: "Червы", d: "Бубны", c: "Трефы" },
    live: "ещё не видно",
    out: "вышла",
    left: "Осталось",
  },

  senses: {
    turn: (table: string, street: number | null) =>
      `«${table}»: ${street === null ? "вы раскладываете фантазию" : `улица ${street}, вас ждут`}`,
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
    newRules: (hands: number) =>
      `Новые правила · ${count(hands, { one: "# раздача", few: "# раздачи", many: "# раздач", other: "# раздачи" })}`,
    showdown: "Вскрытие",
    spectators: (n: number) => count(n, { one: "# зритель", few: "# зрителя", many: "# зрителей", other: "# зрителя" }),
    boardOf: (name: string) => `Расклад: ${name}`,
    yourBoard: "Ваш расклад",
    yourCards: "Ваши карты",
    button: "Баттон",
    host: "хозяин",
    score: "Счёт",
    hands: (n: number) => count(n, { one: "# раздача", few: "# раздачи", many: "# раздач", other: "# раздачи" }),
    stack: (chips: string) => `стек ${chips}`,
    match: (n: number, of: number) => `матч ${n} из ${of} в круге`,
    matchShort: (n: number, of: number, hand: number) => `матч ${n} из ${of}, раздача ${hand}`,
    handOfMatch: (n: number) => `${n}-я раздача матча`,
    fantasyOwn: "вы раскладываете фантазию",
    fantasyOwnClosed: "ваша фантазия, все сразу",
    fantasyOther: "раскладывают фантазию",
    closed: "закрытая раздача, все сразу",
    hidden: (done: boolean): string => (done ? "закрыто до вскрытия" : "карт не видно до вскрытия"),
    discarded: "сброс",
    discardedCount: (n: number) => `сброшено карт: ${n}`,
    royalties: (points: number) => `Роялти ${signed(points)}`,
    royaltyTable: "Роялти",
    dead: "Мёртвая рука",
    freeSeat: "Свободное место",
    left: "нет за столом",
    total: "счёт",
    totalAloud: "Счёт за столом",
    saveHand: "Скачать раздачу",
    saveAll: "Скачать все раздачи",
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
    nextHand: "со следующего матча",
    laysFantasy: "раскладывает фантазию",
    lays: "раскладывает",
    laid: "разложено",
    fantasyLater: "фантазия, после всех",
    later: "в конце",
    absent: "отсутствует",
    broke: "нет кушей",
    gotFantasy: (cards: number) => `фантазия, ${cards}`,
    staysIn: (cards: number) => `остаётся в фантазии, ${cards}`,
    again: (cards: number) => `ещё фантазия, ${cards}`,
    onBank: (time: string) => `банк ${time}`,
  },

  fantasy: {
    name: "Фантазия",
    heading: "К фантазии",
    secured: "Фантазия ваша",
    again: "Ещё фантазия",
    badge: (words: string, cards: number) => `${words}, ${cards}`,
    yours: (cards: string) => `Вам фантазия, ${cards}`,
    yourStay: (cards: string) => `Вы остаётесь в фантазии, ${cards}`,
    next: (cards: string) => `Фантазия, ${cards}`,
    nextAgain: (cards: string) => `Остаётесь в фантазии, ${cards}`,
    lapsed: {
      "one-left": "Куши остались у одного: фантазия сгорает, матч окончен",
      broke: "У кого была фантазия, нет кушей: она сгорает, матч окончен",
      absent: "Кого ждала фантазия, нет за столом: она сгорает, матч окончен",
      waived: "От фантазии отказались: матч окончен",
      voided: "Фантазия дважды не засчитана: она сгорает, матч окончен",
    },
    ending: {
      "one-left": "Куши остались у одного: фантазии не будет, матч закончится",
      broke: "У кого была фантазия, нет кушей: её не будет, матч закончится",
    },
  },

  clock: {
    own: (ms: number) => `Ваше время на раздачу: осталось ${clock(ms)}`,
    ownBank: (ms: number) => `Идёт ваш тайм-банк: осталось ${clock(ms)}`,
    of: (name: string, ms: number) => `${name}: осталось ${clock(ms)}`,
    bank: "тайм-банк",
    bankRuns: "идёт банк",
  },

  laying: {
    yourTurn: "Ваш ход",
    all: (n: number) => `разложите все ${n}`,
    one: "положите карту",
    some: (n: number) =>
      count(n, { one: "# карта в ряды", few: "# карты в ряды", many: "# карт в ряды", other: "# карты в ряды" }),
    whole: (cards: string) => `${cards}:`,
    wholeLay: (lay: number, bin: string) => (bin === "" ? "разложите все" : `разложите ${lay}, ${bin}`),
    leftOf: (left: number, of: number) => `${left === 1 ? "Осталась" : "Осталось"} ${left} из ${of}`,
    bin: (n: number) =>
      n === 0
        ? "кладутся все"
        : n === 1
          ? "одна уйдёт в сброс"
          : count(n, { few: "# уйдут в сброс", other: "# уйдут в сброс" }),
    more: (n: number) => count(n, { one: "Ещё # карта", few: "Ещё # карты", many: "Ещё # карт", other: "Ещё # карты" }),
    sort: "Сортировать",
    sorts: { dealt: "По сдаче", rank: "По рангу", pairs: "По парам", suit: "По масти" },
    othersLay: (names: readonly string[]) =>
      `${names.length === 1 ? "Раскладывает" : "Раскладывают"}: ${names.join(", ")}`,
    fantasyWaits: "ваша фантазия после всех",
    closedWait: "карты откроются на вскрытии",
    done: "Всё разложено",
    confirm: "подтвердите ход",
    turnOf: (name: string) => `Ходит ${name}`,
    opensCards: "карты открыты всем",
    thinks: "думает",
    wait: "Ждём хода соперника",
    waitAll: "Ждём, пока разложат все",
    allLaid: "Все карты разложены",
    putOn: (card: string, row: Row) => `${card}: ${to[row]}`,
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
    deadAsk: "Мёртвая рука. Положить?",
    keys: {
      card: "карта",
      next: "другая",
      row: "ряд",
      sort: "сорт",
      undo: "вернуть",
      reset: "заново",
      confirm: "готово",
    },
  },

  ready: {
    ready: "Готов",
    of: (ready: number, all: number) => `${ready} из ${all}`,
    soon: (s: number) => `Раздача начнётся через ${s} с`,
    othersHave: (s: number) => `у остальных ${s} с`,
    youHave: (s: number) => `осталось ${s} с`,
    waiting: "Ждём остальных",
    dealing: "Сдаём карты…",
    needMore: "Нужен хотя бы ещё один игрок",
    needMoreShort: "нужен ещё игрок",
    always: "Всегда готов",
    auto: (s: number) => `следующий через ${s} с`,
    sittingOut: "Вы пропускаете матчи",
    why: {
      "not-ready": "время сказать «Готов» вышло",
      broke: "кушей не осталось",
      absent: "время вышло, пока вас не было",
      idle: "две раздачи подряд карты клал стол",
    },
    held: "Место за вами 10 минут",
    back: "Вернуться в игру",
    nextHand: "Вы в следующем матче",
    leaving: "Вы уйдёте после матча",
    stay: "Остаться",
    sitOut: "Пропускать",
    sitOutHint: "Место останется за вами, а карт вам не сдадут, пока не вернётесь",
  },

  pause: {
    goOn: "Дальше",
    in: (s: number) => `фантазия через ${s} с`,
    endsIn: (s: number) => `конец матча через ${s} с`,
    of: (gone: number, all: number) => `${gone} из ${all}`,
    gone: "Ждём остальных",
    brings: (names: string, s: number) => `${names}: нет кушей, ждём ещё ${s} с`,
    waive: "Отказаться от фантазии",
    waiveTitle: "Отказаться от фантазии?",
    waiveAsk:
      "Фантазия за вами одним. Откажетесь, и раздачи с нею не будет: матч сразу закончится для всех за столом. Счёт останется, каков он сейчас.",
    waiveYes: "Отказаться",
    waiveNo: "Играть фантазию",
  },

  chipsFor: {
    broke: "Кушей не осталось",
    bring: (chips: string) => `Внести ${chips}`,
    bringLeft: (s: number) => `${s} с`,
    decline: "Не буду",
    topUp: "Внести куши",
    ask: (names: string, ends: boolean) =>
      `Куши кончились, впереди фантазия: ${names}. Без взноса ${ends ? "матч окончен" : "матч пойдёт без вас"}`,
    upTo: "Сколько станет в стеке",
    buyIn: "Взнос",
  },

  sit: {
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
    code: "Код стола:",
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
    afterMatch: "Вы доиграете этот матч, и место освободится после него.",
    yes: "Выйти",
    home: "На главную, место останется",
    no: "Остаться",
  },

  showdown: {
    row: "Ряд",
    scoop: "Скуп",
    threeRows: "три ряда",
    most: "Перевес",
    mostRows: "два ряда из трёх",
    foul: "Мёртвая рука",
    royalties: "Роялти",
    wonRows: "за выигранные ряды",
    difference: (own: number, other: number) => `${own} − ${other}`,
    total: "Итого",
    due: "К оплате",
    paid: "Хватило на",
    skipped: "нет кушей",
    skippedAloud: "не рассчитались: у одного из них нет кушей",
    hand: (n: number) => `раздача ${n}`,
    match: (points: string) => `матч ${points}`,
    moved: (chips: string) => `куши ${chips}`,
    stack: (chips: string) => `стек ${chips}`,
    pair: "Пара",
    rowsAndOther: (fouls: boolean, most: boolean) =>
      `В, С, Н: ряды; ±: ${most ? "перевес" : "скуп"}${fouls ? " и мёртвая рука" : ""}`,
    combos: "Комбинации",
    counting: "К счёту",
    points: "раздача",
    pointsAloud: "Очки за раздачу",
    won: "больше",
    lost: "меньше",
    notCompared: "не сравнивается",
    totals: "Счёт за столом",
  },

  rules: {
    title: "Правила",
    here: "Правила этого стола",
    changed: (set: string, n: number) => `${set}, изменено правил: ${n}`,
    unchanged: (set: string) => `Правила: ${set}`,
    book: "Книга правил",
    loading: "Читаем правила…",
    failed: "Правила не загрузились. Попробуйте ещё раз",
  },

  royaltyTable: {
    pairs: (from: string) => (from === "AA" ? "Пара AA" : `Пара ${from}–AA`),
    kinds: ["Сет", "Стрит", "Флеш", "Фулл", "Каре", "Стрит-флеш", "Роял-флеш"],
  },

  menu: {
    hands: "Раздачи",
    last: "Прошлая раздача",
    all: "Все раздачи",
    account: "Расчёт за вечер",
    deck: "Остаток колоды",
    table: "Стол",
    lesson: "Урок",
    seat: "Ваше место",
  },

  elsewhere: {
    played: "За это место играют в другом окне",
    here: "Играть здесь",
  },

  break: {
    stopped: "Игра остановлена",
    byHost: "Хозяин остановил игру",
    atMost: (ms: number) => `не дольше ${ms > 60_000 ? `${Math.ceil(ms / 60_000)} мин` : `${Math.ceil(ms / 1000)} с`}`,
    stop: "Остановить игру",
    goOn: "Продолжить игру",
    goOnShort: "Продолжить",
  },

  host: {
    title: "Хозяину стола",
    seats: "Места",
    remove: "Убрать",
    removeAloud: (name: string) => `Убрать: ${name}`,
    removeAsk: (name: string, inMatch: boolean) =>
      `${name}: освободить это место? ${inMatch ? "Матч доиграется, место освободится после него." : "Место освободится сразу, счёт запомнится."}`,
    removeNo: "Оставить",
    seatBot: "Посадить бота",
    pass: "Передать роль",
    passAloud: (name: string) => `Передать роль хозяина: ${name}`,
    public: "Виден всем на главной",
    publicHint: "Иначе стол найдут только по ссылке",
    rules: "Сменить правила",
    rulesLater: "Правила меняют между матчами",
    rulesNext: "Играть по этим правилам",
    rulesSame: "Это нынешние правила. Выберите, что изменить",
    rulesSeats: (needed: number) => `Место ${String(needed)} занято: мест нужно не меньше ${String(needed)}`,
    rulesAsk:
      "Следующий матч пойдёт по новым правилам. Все скажут «Готов» заново, круг начнётся сначала. Счёт останется.",
    rulesNo: "Назад",
    rulesYes: "Сменить правила",
  },

  notices: {
    break: "Хозяин остановил игру",
    "break-over": "Игра продолжается",
    removed: (name: string) => `Хозяин освободил место: ${name}`,
    "bot-seated": (name: string) => `Хозяин посадил бота: ${name}`,
    "bot-removed": (name: string) => `Хозяин убрал бота: ${name}`,
    "rules-changed": "Правила стола изменились",
    rules: (changes: readonly string[], more: number) =>
      `Новые правила. ${changes.join("; ")}${more > 0 ? `; и ещё ${more}` : ""}`,
    host: (name: string) => `Теперь хозяин стола: ${name}`,
    hostYou: "Теперь хозяин стола вы",
    public: "Стол виден всем на главной",
    private: "Стол больше не виден на главной",
    held: "Часы стоят: ждём, пока все вернутся",
    "hold-over": "Часы снова идут",
    "voided-fault": "Раздача не считается: комната ошиблась",
    "voided-outage": "Раздача не считается: комната долго была недоступна",
    stalled: "Комната задержалась. Это время ни у кого не отняли",
    resumed: "Комната снова здесь. Пока её не было, часы стояли",
  },
  hold: {
    lost: "Несколько игроков потеряли связь",
    outage: "Комната была недоступна, ждём всех",
    stand: "Часы стоят",
    later: "ваш ход подождёт",
    atMost: (ms: number) => `Часы стоят, не дольше ${clock(ms)}`,
    voided: (hand: number, fault: boolean) =>
      `Раздача ${hand} не считается: ${fault ? "комната ошиблась" : "комната долго была недоступна"}.`,
    before: "Куши, фантазия и баттон такие же, как до неё",
  },
  fair: {
    unsealed: "Раздача не запечатана",
    waiting: "Раздача запечатана",
    unproved: "Карты без доказательства",
    seedless: "Тасовала только комната",
    uncounted: "Ваше число не в счёт",
    checked: (n: number) => `Проверено карт: ${n}`,
    failed: "Раздача не сошлась",
    failedDo: "Сохраните файл",
    open: "Проверка раздачи",
  },
  lag: { medium: "Связь медленная", weak: "Связь слабая" },

  phrases: {
    title: "Сказать за столом",
    heard: "Разговор",
    nothing: "Скажите что-нибудь за столом",
    more: "Ещё…",
    says: (name: string, words: string) => `${name}: ${words}`,
    mute: "Кого не слышать",
    muteAll: "Всех",
    text: {
      hello: "Привет!",
      "good-luck": "Удачи!",
      "nice-hand": "Красиво!",
      "well-played": "Хорошо сыграно",
      thanks: "Спасибо!",
      sorry: "Извините",
      unlucky: "Не повезло",
      hurry: "Ждём вас",
      "one-moment": "Минутку",
      back: "Я снова здесь",
      "one-more": "Ещё одну?",
      bye: "Пока!",
      clap: "Аплодисменты",
      laugh: "Смех",
      wow: "Ого!",
      heart: "Сердце",
      fire: "Огонь",
      tears: "Слёзы",
    } satisfies Record<Say["phrase"], string>,
  },

  lesson: {
    title: "Урок",
    rival: "Kiwi",
    skip: "Пропустить",
    hint: "Подсказка",
    order: "Чем ниже ряд, тем он должен быть сильнее: девятки — на низ",
    queen: "Даму — на верх: там всего три места",
    rest: (card: string, row: Row) => `${capital(card)} — ${to[row]}`,
    same: (card: string) => `${capital(card)} — туда же`,
    otherwise: (text: string) => `Можно и так. ${text}`,
    ready: "Нажмите «Готов», а до того всё можно переложить",
    wait: "Теперь ходит Kiwi",
    three: "Дальше по три карты: две в ряды, одна в сброс",
    firstDiscard: "Нажмите «Сбросить»: лишнюю карту никто не увидит",
    discard: "Лишнюю карту — в сброс",
    saved: "Рука спасена! Лишнюю карту — в сброс",
    choose: (card: string) => `Выберите: ${card}`,
    anotherQueen: "Ещё одна дама! Выберите её",
    queens: "К даме — даму: пара дам на верху ведёт в фантазию",
    saves: (row: Row, than: Row, rank: number) =>
      `Если ${rows[than].toLowerCase()} сильнее ${rowOf[row]}, рука мертва и проиграет: спасёт ${word(rank).one}`,
    makes: (row: Row, made: Worth) => `${capital(to[row])}: это уже ${lower(worth(made))}`,
    wrong: {
      queen: "Даме место на верху, верните карту",
      room: "На верху три места, они для дам: верните карту",
      dead: "Так рука мертва, ряд выше сильнее ряда ниже: верните карту",
      order: "Так ряд выше сильнее ряда ниже: верните карту",
      weak: "Так рядам внизу не хватит силы: верните карту",
    },
    rowByRow: "Ряды сравнили: каждый выигранный приносит очко",
    scoop: (points: string) => `Все три ряда ваши: это скуп, ещё ${points}`,
    royalties: (own: number, other: number) => `Роялти дают за сильные ряды: у вас ${own}, у Kiwi ${other}`,
    fantasy: (cards: string) => `Дамы на верху дали фантазию: в следующей раздаче сразу ${cards}`,
    end: "Вот и вся игра. Теперь за стол?",
    again: "Ещё раз",
  },

  replay: {
    seal: "печать",
    hands: "Раздачи",
    loading: "Открываем…",
    retry: "Попробовать ещё раз",
    none: "Пока ни одной раздачи",
    noneHint: "Сыгранные раздачи появятся здесь: каждую можно будет пересмотреть по шагам",
    match: (n: number) => `Матч ${n}`,
    toTable: "К столу",
    toHands: "К списку раздач",
    noHand: "Такой раздачи нет",
    noHandHint: "Она ещё не сыграна, или в адресе ошибка",
    noLink: "Эта ссылка никуда не ведёт",
    noLinkHint: "Возможно, она скопирована не целиком. Попросите прислать её ещё раз",
    bySteps: "Пересмотреть по шагам",
    previous: "Предыдущая раздача",
    next: "Следующая раздача",
    steps: "Ход раздачи",
    step: "Шаг",
    of: (n: number, all: number) => `${n} из ${all}`,
    first: "В начало",
    back: "Шаг назад",
    play: "Смотреть",
    pause: "Пауза",
    again: "Сначала",
    on: "Шаг вперёд",
    last: "К вскрытию",
    dealt: "Карты сданы",
    /** `street`: нет у фантазии; `name`: нет у самого читателя. */
    move: (street: number | null, name: string | null, byTable: boolean): string => {
      const where = street === null ? "Фантазия" : `Улица ${street}`;
      if (byTable) return name === null ? `${where}, за вас кладёт стол` : `${where}, ${name}: кладёт стол`;
      if (street === null) return name === null ? "Ваша фантазия" : `Фантазия, ${name}`;
      return name === null ? `${where}, ваш ход` : `${where}, ходит ${name}`;
    },
    waits: (you: boolean): string => (you ? "ждёте" : "ждёт"),
    moves: (you: boolean): string => (you ? "ваш ход" : "ходит"),
    follows: (you: boolean): string => (you ? "следом вы" : "следом"),
    byTable: "кладёт стол",
    then: (name: string | null) => (name === null ? "Дальше ваш ход" : `Дальше ходит ${name}`),
    inHand: "Карты на руках",
    cards: (n: number) =>
      count(n, {
        one: "# карта на руках",
        few: "# карты на руках",
        many: "# карт на руках",
        other: "# карты на руках",
      }),
    closed: "карт не видно",
    countedNext: "дальше вскрытие",
    player: (n: string) => `Игрок ${n}`,
    share: "Поделиться раздачей",
    showsYours: "По ссылке увидят то же, что видели вы: расклады, ваши карты и ваш сброс. Чужой сброс не увидит никто.",
    showsAll: "По ссылке увидят то же, что видели зрители: расклады всех игроков. Сброса не увидит никто.",
    names: "Имена игроков",
    withNames: "С именами",
    withoutNames: "Без имён",
    namesHint: (names: boolean): string =>
      names
        ? "Имена игроков и название стола останутся."
        : "Вместо имён будет «Игрок 1», «Игрок 2», названия стола не будет.",
    makeLink: "Получить ссылку",
    link: "Ссылка на раздачу",
    fileHint: "Запись раздачи текстом",
    seenBy: (name: string) => `Раздача показана так, как её видел игрок ${name}: с его сбросом, но без чужого.`,
    seenByAll: "Раздача показана так, как её видели зрители: сброс закрыт.",
    join: "Зайти в комнату",
  },

  review: {
    title: (n: number) => `Разбор раздачи ${n}`,
    open: "Разбор",
    result: "Итог раздачи",
    right: "фантазии всех",
    decisions: "решения",
    byTable: "стол",
    luck: "расклад",
    line: "Чего ждать от раздачи",
    end: "итог",
    streets: "Улицы",
    /** `n`: нет у фантазии. */
    street: (n: number | null) => (n === null ? "Фантазия" : `Улица ${n}`),
    short: (n: number | null) => (n === null ? "фант." : `ул. ${n}`),
    verdict: {
      best: "лучший ход",
      equal: "не хуже лучшего",
      near: "почти лучший",
      inaccuracy: "неточность",
      mistake: "ошибка",
      forced: "без выбора",
    },
    automatic: "выложил стол",
    judging: "считаем…",
    yours: "Ваш ход",
    before: "В раздаче",
    now: "Теперь",
    best: "Лучший",
    second: "Второй ход",
    foul: (chance: string) => `мёртвая рука ${chance}`,
    fantasy: (chance: string) => `фантазия ${chance}`,
    others: "Соперники на этой улице",
    inside: (cards: string) => `в фантазии, ${cards}`,
    moves: "Ходы",
    points: "очков в среднем",
    tag: { yours: "ваш", equal: "не отличить" },
    place: (n: number, of: number) => `${n}-й из ${of}`,
    guess: "на глаз",
    exact: "Перебраны все продолжения.",
    sampled: "Ходы доиграны на случайных картах; ± — стандартная ошибка.",
    guessed: "«На глаз»: оценка без доигрывания.",
    better: "Здесь было лучше. Найдёте?",
    again: "Переиграть улицу",
    answer: "Показать ответ",
    back: "К разбору",
    tried: {
      best: "Нашли! Это лучший ход",
      equal: "Нашли! От лучшего не отличить",
      better: "Лучше, чем в раздаче, но можно ещё лучше",
      close: "Не отличить от хода в раздаче",
      same: "Так и было в раздаче",
      worse: "Хуже, чем в раздаче",
    },
    toBest: (loss: string) => `до лучшего ${loss} очка`,
    previous: "Предыдущая улица",
    next: "Следующая улица",
    mistakes: (n: number) => count(n, { one: "# ошибка", few: "# ошибки", many: "# ошибок", other: "# ошибки" }),
    inaccuracies: (n: number) =>
      count(n, { one: "# неточность", few: "# неточности", many: "# неточностей", other: "# неточности" }),
    clean: "без ошибок",
  },

  account: {
    title: "Расчёт за вечер",
    none: "Считать пока нечего",
    noneHint: "Сыграйте раздачу, и здесь появится, кто сколько выиграл и кто кому платит",
    lasted: (h: number, m: number) => (h === 0 ? `${m} мин` : m === 0 ? `${h} ч` : `${h} ч ${m} мин`),
    won: "Кто сколько выиграл",
    left: "уже не за столом",
    pays: "Кто кому платит",
    payment: (payer: string, payee: string, amount: string) => `${payer} платит игроку ${payee}: ${amount}`,
    even: "Никто никому ничего не должен",
    bots: "У ботов нет кошелька: платят только за то, что люди выиграли друг у друга",
    due: (amount: string) => `с людьми ${amount}`,
    zero: "Всё сходится: выигрыши и проигрыши в сумме дают ноль",
    price: (money: string) => `очко ${money}`,
    text: "Расчёт текстом",
    picture: "Расчёт картинкой",
    copyFailed: "Не вышло скопировать: скопируйте текст сами",
  },

  said: {
    turn: (street: number, cards: string) => `Ваш ход, улица ${street}. Ваши карты: ${cards}`,
    deal: (hand: number) => `Раздача ${hand} началась`,
    placed: (name: string, cards: string) => `${name}: ${cards}`,
    result: (hand: number, points: number) => `Раздача ${hand} закончена. Ваш результат: ${signed(points)}`,
    over: (hand: number) => `Раздача ${hand} закончена`,
    left: (s: number) => `Осталось ${s} секунд`,
    bank: "Время на раздачу вышло, идёт тайм-банк",
    sat: (name: string) => `${name} за столом`,
    fantasyTurn: (all: number, lay: number, cards: string) =>
      `Ваша фантазия: ${all} карт, разложите ${lay}. Ваши карты: ${cards}`,
    closed: "Все раскладывают сразу, карты откроются на вскрытии",
    laid: (name: string) => `${name}: всё разложено`,
    gets: (name: string, cards: number) => `${name}: фантазия, ${cards} карт`,
    stays: (name: string, cards: number) => `${name} остаётся в фантазии, ${cards} карт`,
    broke: (name: string) => `${name}: кушей не осталось`,
    brought: (name: string) => `${name} снова с кушами`,
    absent: (name: string) => `${name}: время вышло, карты кладёт стол`,
    match: (points: number) => `Матч окончен. Ваш итог матча: ${signed(points)}`,
    matchOver: "Матч окончен",
  },
};

/** What every language has to say. */
export type Messages = typeof messages;
