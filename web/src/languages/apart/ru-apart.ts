// Words that nobody needs before his first card, fetched with what says them: the house rules, and the proof of a deal.
import type { Why } from "../../fair/keeper";
import type { Why as HouseWhy } from "../../house/faults";
import type { Base, Choice, Field } from "../../house/values";
import { plurals } from "../../i18n/numbers";

const count = plurals("ru");

// -- the house rules, as the form and the rules pages say them

const points = (n: string): string =>
  count(Number(n), { one: "# очко", few: "# очка", many: "# очков", other: "# очка" });
const cards = (n: string): string =>
  count(Number(n), { one: "# карта", few: "# карты", many: "# карт", other: "# карты" });
const range = (text: string): string => {
  const [least = "", most = ""] = text.split("-");
  return least === most ? least : `от ${least} до ${most}`;
};

const options: Record<Choice, Record<string, string>> = {
  street_one: { open: "открыта, все видят, как её кладут", closed: "закрыта, видно, когда подтверждена" },
  lock: { "on-confirm": "после подтверждения", "on-place": "сразу, как положена" },
  equality: { allowed: "допускаются", strict: "рука мёртвая" },
  scoring: { "1-6": "1–6, за три ряда ещё 3 очка", "2-4": "2–4, за два или три ряда ещё 1 очко" },
  royalties: { net: "платится разница", "line-winner": "только выигравшему ряд", none: "нет" },
  fantasyland: { on: "есть", off: "нет" },
  fantasyland_entry: {},
  fantasyland_timing: { after: "после остальных", "from-start": "с начала раздачи, вместе со всеми" },
  button_in_fantasyland: { moves: "переходит", stays: "стоит на месте" },
  settlement_cap: {
    both: "не больше стека каждого из двоих",
    loser: "не больше стека проигравшего",
    none: "целиком, стек бывает ниже нуля",
  },
  auto_layout: { order: "по порядку получения", careful: "без мёртвой руки, где можно" },
  seen_cards: { shown: "показана", hidden: "скрыта" },
};

const royaltyTables: Record<string, string> = {
  american: "американская",
  "vegas-2013": "Вегас 2013, любой сет на верху 20",
  "early-2013": "ранняя 2013, пониже в середине и на низу",
  own: "своя",
};

const stays: Record<string, string> = {
  "top-trips": "сет на верху",
  "middle-full-house": "фулл в середине и старше",
  "middle-quads": "каре в середине и старше",
  "bottom-quads": "каре на низу и старше",
};

/** Пара кого? */
const pairs: Record<string, string> = {
  "22": "двоек",
  "33": "троек",
  "44": "четвёрок",
  "55": "пятёрок",
  "66": "шестёрок",
  "77": "семёрок",
  "88": "восьмёрок",
  "99": "девяток",
  TT: "десяток",
  JJ: "валетов",
  QQ: "дам",
  KK: "королей",
  AA: "тузов",
};

/** Значение правила словами. */
function say(field: Field, text: string): string {
  switch (field) {
    case "seats":
    case "buy_in":
      return range(text) + (field === "buy_in" ? " кушей" : "");
    case "deal":
    case "place":
      return text.split(",").join(" + ");
    case "foul_points":
      return `по ${points(text)} каждому`;
    case "royalty_table":
      return royaltyTables[text] ?? "своя";
    case "fantasyland_cards": {
      const [queens, kings, aces, trips] = text.split(",");
      return kings === undefined
        ? cards(text)
        : `за дам ${queens ?? ""}, за королей ${kings}, за тузов ${aces ?? ""}, за сет ${trips ?? ""}`;
    }
    case "fantasyland_entry":
      return `пара ${pairs[text] ?? text} на верху и старше`;
    case "fantasyland_stay":
      return text === "none"
        ? "не остаются"
        : text
            .split(",")
            .map((condition) => stays[condition] ?? condition)
            .join(" или ");
    case "fantasyland_stay_cards":
      return cards(text);
    case "fantasyland_repeats":
      return text === "unlimited"
        ? "сколько угодно раз"
        : text === "0"
          ? "ни разу"
          : `не больше ${count(Number(text), { one: "# раза", other: "# раз" })}`;
    case "hand_seconds":
    case "bank_seconds":
    case "ready_seconds":
    case "showdown_seconds":
      return text === "0" ? "нет" : `${text} с`;
    case "point_price":
      return text;
    default:
      return options[field][text] ?? text;
  }
}

const figure = (n: number): string => n.toLocaleString("ru");

/** Что не так и чего ждёт правило. */
function why(fault: HouseWhy): string {
  switch (fault.is) {
    case "range": {
      const span = `от ${figure(fault.least)} до ${figure(fault.most)}`;
      return fault.several ? `Нужны целые числа ${span}` : `Нужно целое число ${span}`;
    }
    case "no-value":
      return "Так не сыграть";
    case "order":
      return "Наименьшее не может быть больше наибольшего";
    case "streets":
      return `Улиц не больше ${String(fault.most)}`;
    case "as-many": {
      const [dealt, laid] = [fault.dealt, fault.laid].map((n) => count(n, { one: "# улице", other: "# улицах" }));
      return `Сдаётся на ${dealt ?? ""}, кладётся на ${laid ?? ""}: улиц должно быть поровну`;
    }
    case "full":
      return `В расклад ложится ${String(fault.places)} карт, а здесь ${String(fault.laid)}`;
    case "over":
      return `На улице ${String(fault.street)} кладётся больше, чем сдаётся: ${String(fault.laid)} из ${String(fault.dealt)}`;
    case "deck": {
      const { seats, deck, most } = fault;
      const places = count(seats, { one: "# место", few: "# места", other: "# мест" });
      const upTo = (n: number): string => count(n, { one: "# карты", other: "# карт" });
      return `${places}, у каждого до ${upTo(fault.cards)}: нужно ${String(seats * fault.cards)}, а в колоде ${String(deck)}. Пусть мест будет меньше или карт не больше ${String(most)}`;
    }
  }
}

const house = {
  why,
  about: {
    room: "Улицы по три карты. Фантазия: 14 карт, раскладывается после остальных. Вдвоём или втроём.",
    club: "После первых пяти по одной карте. Фантазия: 13 карт с начала раздачи. До четырёх игроков.",
    "club-pineapple": "Правила клуба, но улицы по три карты. Вдвоём или втроём.",
    progressive: "Как комната, но чем старше верх, тем больше карт в фантазии: от 14 до 17.",
  } satisfies Record<Base, string>,
  groups: {
    hand: "Раздача",
    score: "Счёт и роялти",
    fantasy: "Фантазия",
    chips: "Куши",
    time: "Время",
  },
  labels: {
    seats: "Игроков",
    deal: "Сдаётся по улицам",
    place: "Кладётся по улицам",
    street_one: "Первая улица",
    lock: "Карта лежит окончательно",
    equality: "Равные ряды",
    scoring: "Счёт",
    foul_points: "Мёртвая рука платит",
    royalties: "Роялти",
    royalty_table: "Таблица роялти",
    fantasyland: "Фантазия",
    fantasyland_cards: "Карт в фантазии",
    fantasyland_entry: "В фантазию ведёт",
    fantasyland_stay: "Остаются в фантазии",
    fantasyland_stay_cards: "Карт у того, кто остался",
    fantasyland_repeats: "Остаться подряд можно",
    fantasyland_timing: "Фантазию кладут",
    button_in_fantasyland: "Баттон перед фантазией",
    settlement_cap: "Проигрыш платится",
    hand_seconds: "Время на раздачу",
    bank_seconds: "Тайм-банк за столом",
    auto_layout: "Когда время вышло, карты кладутся",
    buy_in: "Взнос",
    point_price: "Цена очка",
    ready_seconds: "Ждать «Готов» от остальных",
    showdown_seconds: "Показывать вскрытие",
    seen_cards: "Сетка вышедших карт",
  } satisfies Record<Field, string>,
  options,
  royaltyTables,
  stays,
  say,
  hints: {
    loser:
      "Например, у кого 5 кушей, тот может выиграть 39, если столько ему должны остальные, а проиграть не больше 5.",
    rows: "Выигравшему ряд достаются только его роялти за этот ряд.",
    seconds: "секунд",
    places: "Мест за столом",
    atLeast: "Начинать, когда готовы хотя бы",
    tops: ["дамы", "короли", "тузы", "сет"],
    commas: "через запятую",
    lists: ["Пара на верху", "Сет на верху", "Середина", "Низ"],
    kinds: ["сет", "стрит", "флеш", "фулл", "каре", "стрит-фл.", "роял"],
    asNamed: (table: string) => `Пока такая же, как «${table}»`,
    least: "наименьший",
    most: "наибольший",
  },
  form: {
    rules: "Правила",
    house: "Правила дома",
    since: "Что изменилось:",
    differs: (base: string) => `Не как в наборе «${base}»:`,
    same: (base: string) => `Всё как в наборе «${base}»`,
    all: "Все правила стола",
    others: "Остальные правила",
    wrong: "так не сыграть",
    refused: "Комната не приняла это значение. Обновите страницу и попробуйте ещё раз",
    back: "Вернуть как в наборе",
    allBack: (base: string) => `Всё как в наборе «${base}»`,
    aside: (base: string) => `В наборе «${base}» так не сыграть, отложено:`,
    asideBack: (base: string) => `Вернуть набор «${base}»`,
    price: "Цена очка, ₽",
    priceHint: (chips: string, money: string) => `Наименьший взнос, ${chips}: ${money}`,
    priceFree: "На интерес: денег в счёте не будет",
  },
};

// -- the proof of a deal, as its sheet says it

const fair = {
  states: {
    unsealed: "Эту раздачу комната не запечатала, и проверить её нельзя.",
    waiting: "Колода запечатана до раздачи. Открытые карты проверяются, как только приходят.",
    unproved: "К некоторым картам доказательство не пришло.",
    seedless:
      "Открытые карты лежали в запечатанной колоде, но ни один игрок не назвал своего числа: не доказано, что комната не выбрала эту раздачу сама.",
    uncounted:
      "Открытые карты лежали в запечатанной колоде, но число из этого окна в тасовании не участвовало: оно опоздало, или вы играли в другом окне.",
    checked: "Все карты, которые вы видите, лежали в колоде, запечатанной заранее.",
    failed: "Показанное не сходится с печатью. Сохраните доказательство и покажите остальным за столом.",
  },
  late: "Этот браузер не видел печать, показанную до раздачи, и не может с ней сверить.",
  own: "Ваше число участвовало в тасовании.",
  why: {
    form: "запись не по форме",
    seal: "печать не та, что была показана",
    seeds: "числа игроков не сходятся",
    deal: "такой раздачи не было",
    twice: "карта сдана дважды",
    card: "такой карты нет в колоде",
    decks: "под печатью не эти колоды",
    moved: "карта лежит не у того, кому сдана",
    button: "первый баттон не у того, на кого выпал жребий",
  } satisfies Record<Why, string>,
  proves: "Что это доказывает",
  provesText:
    "До раздачи комната запечатывает 64 колоды и показывает печать. Потом каждый игрок называет случайное число: эти числа решают, какая колода в игре и как из неё сдают. Комната не знает их, когда запечатывает, и не может выбрать, кому какая карта придёт. После раздачи остальные 63 колоды открываются: в каждой 52 разные карты.",
  cannot: "Чего не доказывает",
  cannotText:
    "Владелец сервера может видеть карты: доказано только, что он их не выбирал. Если все остальные заодно с ним, игрока защищает только его собственное число. Чужой сброс и несданные карты не открываются никогда.",
  hand: "Раздача",
  next: "Печать следующей раздачи",
  nextText: "Запишите её, чтобы сверить потом.",
  keep: "Сохранить доказательство",
  root: "Печать",
  seeds: "Числа игроков",
  none: "никто не назвал",
  untold: "не назвал вовремя",
  details: "Подробности",
  save: "Скачать доказательство",
  verify: "Проверить здесь",

  after: "Когда раздача закончится, здесь можно будет скачать её доказательство.",
  verifying: "Считаем…",
  good: "Всё сошлось",
  goodText: (cards: number) =>
    `${count(cards, { one: "# карта", few: "# карты", many: "# карт", other: "# карты" })} и 64 колоды.`,

  bad: "Не сошлось",

  street: (n: number) => `улица ${n}`,
  hidden: (n: number) => count(n, { one: "# закрыта", other: "# закрыто" }),
};

// -- everything

export const apart = { house, fair };

/** The words of another language stand in the same places. */
export type Apart = typeof apart;
