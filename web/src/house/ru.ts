import { plurals } from "../i18n/numbers";
import type { Base, Choice, Field } from "./values";

const count = plurals("ru");
const points = (n: string): string =>
  count(Number(n), { one: "# очко", few: "# очка", many: "# очков", other: "# очка" });
const cards = (n: string): string =>
  count(Number(n), { one: "# карта", few: "# карты", many: "# карт", other: "# карты" });
const range = (text: string): string => {
  const [least = "", most = ""] = text.split("-");
  return least === most ? least : `от ${least} до ${most}`;
};

const options: Record<Choice, Record<string, string>> = {
  street_one: { open: "открыто: все видят, как её кладут", closed: "закрыто: видно, когда подтверждена" },
  lock: { "on-confirm": "после подтверждения", "on-place": "сразу, как положена" },
  equality: { allowed: "допускаются", strict: "рука мёртвая" },
  scoring: { "1-6": "1–6: за три ряда ещё 3 очка", "2-4": "2–4: за два или три ряда ещё 1 очко" },
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
};

const royaltyTables: Record<string, string> = {
  american: "американская",
  "vegas-2013": "Вегас 2013: любой сет на верху 20",
  "early-2013": "ранняя 2013: пониже в середине и на низу",
  own: "своя",
};

const stays: Record<string, string> = {
  "top-trips": "сет на верху",
  "middle-full-house": "фулл в середине и старше",
  "middle-quads": "каре в середине и старше",
  "bottom-quads": "каре на низу и старше",
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
      return `пара ${text.replaceAll("T", "10")} на верху и старше`;
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
      return `${text} с`;
    case "point_price":
      return text;
    default:
      return options[field][text] ?? text;
  }
}

/** Что не так, по английским словам комнаты. */
function why(detail: string): string {
  const [, least, most] = /^from (\d+) to (\d+)$/.exec(detail) ?? [];
  if (least !== undefined && most !== undefined) return `Можно от ${least} до ${most}`;
  const [, laid] = /^a board takes 13 cards, these are (\d+)$/.exec(detail) ?? [];
  if (laid !== undefined) return `В расклад ложится 13 карт, а здесь ${laid}`;
  if (detail.startsWith("as many streets")) return "Улиц должно быть столько же, сколько в сдаче";
  if (detail.startsWith("no street can lay")) return "На улице нельзя положить больше, чем сдано";
  if (detail.startsWith("a hand has")) return "В раздаче от 1 до 9 улиц";
  if (detail === "the lowest comes first") return "Сначала меньшее";
  if (/ seats of up to \d+ cards need /.test(detail)) return "Одной колоды на столько мест не хватит";
  if (detail.startsWith("a name (")) return "Нужно 13, 13, 7 и 7 целых чисел от 0 до 1000";
  if (detail.startsWith("whole numbers") || detail === "a whole number") return "Нужны целые числа";
  return "Так не сыграть";
}

export const ru = {
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
  } satisfies Record<Field, string>,
  options,
  royaltyTables,
  stays,
  say,
  hints: {
    loser: "Пять очков могут выиграть тридцать девять, рискуя пятью.",
    lines: "Выигравшему ряд достаются только его роялти за этот ряд.",
    notYet: "пока не играется",
    seconds: "секунд",
    places: "Мест за столом",
    atLeast: "Начинать, когда готовы хотя бы",
    same: "одинаково",
    tops: ["дамы", "короли", "тузы", "сет"],
    lists: [
      "Пары на верху, от двоек до тузов",
      "Сеты на верху, от двоек до тузов",
      "Середина: сет, стрит, флеш, фулл, каре, стрит-флеш, роял",
      "Низ: сет, стрит, флеш, фулл, каре, стрит-флеш, роял",
    ],
    least: "наименьший",
    most: "наибольший",
    none: "нет",
  },
  form: {
    rules: "Правила",
    house: "Правила дома",
    differs: (base: string) => `Не как в наборе «${base}»:`,
    same: (base: string) => `Всё как в наборе «${base}»`,
    all: "Все правила стола",
    back: "Вернуть как в наборе",
    price: "Цена очка, ₽",
    priceHint: (point: string, stack: string, count: string) => `${count} = ${stack}, очко = ${point}`,
    priceFree: "На интерес: денег в счёте не будет",
  },
};

export type HouseWords = typeof ru;
