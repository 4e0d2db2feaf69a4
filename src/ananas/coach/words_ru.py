"""What the coach says of a decision, in Russian: each sentence is a function of facts.

What belongs here: cases, genders and numbers. What does not: which sentence is said (cause.py).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from ananas.game.board import Row
from ananas.game.cards import Card, Rank, Suit
from ananas.game.strength import Category

LaidBy: TypeAlias = Literal["player", "table", "next"]
"""Who laid what the best is held against: the player, the table in his place, or nobody, since it is the second best."""


class Made(NamedTuple):
    """What a row makes, also while cards are missing: its category, and the ranks by weight."""

    category: Category
    ranks: tuple[int, ...]


class _Noun(NamedTuple):
    """A rank: кто? вижу кого? нет кого? кем? нет многих кого?"""  # noqa: D400 - a case is a question

    who: str
    whom: str
    of: str
    by: str
    many: str

    @property
    def masculine(self) -> bool:
        return not self.who.endswith("а")


def _feminine(stem: str, many: str) -> _Noun:
    return _Noun(f"{stem}а", f"{stem}у", f"{stem}и", f"{stem}ой", many)


_RANKS: Final = {
    Rank.TWO: _feminine("двойк", "двоек"),
    Rank.THREE: _feminine("тройк", "троек"),
    Rank.FOUR: _feminine("четвёрк", "четвёрок"),
    Rank.FIVE: _feminine("пятёрк", "пятёрок"),
    Rank.SIX: _feminine("шестёрк", "шестёрок"),
    Rank.SEVEN: _feminine("семёрк", "семёрок"),
    Rank.EIGHT: _feminine("восьмёрк", "восьмёрок"),
    Rank.NINE: _feminine("девятк", "девяток"),
    Rank.TEN: _feminine("десятк", "десяток"),
    Rank.JACK: _Noun("валет", "валета", "валета", "валетом", "валетов"),
    Rank.QUEEN: _Noun("дама", "даму", "дамы", "дамой", "дам"),
    Rank.KING: _Noun("король", "короля", "короля", "королём", "королей"),
    Rank.ACE: _Noun("туз", "туза", "туза", "тузом", "тузов"),
}
_SUITS: Final = {Suit.SPADES: "пик", Suit.HEARTS: "червей", Suit.DIAMONDS: "бубен", Suit.CLUBS: "треф"}
_OF_SUIT: Final = {Suit.SPADES: "пики", Suit.HEARTS: "червы", Suit.DIAMONDS: "бубны", Suit.CLUBS: "трефы"}
_FACES: Final = {Rank.TEN: "10", Rank.JACK: "J", Rank.QUEEN: "Q", Rank.KING: "K", Rank.ACE: "A"}
_NUMBERS: Final = ("", "", "", "три", "четыре", "пять", "шесть", "семь", "восемь", "девять", "десять")

_ROW: Final = {Row.TOP: "верх", Row.MIDDLE: "середина", Row.BOTTOM: "низ"}
_AT: Final = {Row.TOP: "на верху", Row.MIDDLE: "в середине", Row.BOTTOM: "на низу"}
_TO: Final = {Row.TOP: "на верх", Row.MIDDLE: "в середину", Row.BOTTOM: "на низ"}
_OF: Final = {Row.TOP: "верха", Row.MIDDLE: "середины", Row.BOTTOM: "низа"}
_FOR: Final = {Row.TOP: "верху", Row.MIDDLE: "середине", Row.BOTTOM: "низу"}
_OVER: Final = {Row.TOP: "верхом", Row.MIDDLE: "серединой", Row.BOTTOM: "низом"}
_BELOW: Final = {Row.TOP: Row.MIDDLE, Row.MIDDLE: Row.BOTTOM}
_OF_COUNT: Final = ("", "одной", "двух", "трёх", "четырёх")
_WON: Final = {Row.TOP: "выигран", Row.MIDDLE: "выиграна", Row.BOTTOM: "выигран"}
_LOST: Final = {Row.TOP: "проигран", Row.MIDDLE: "проиграна", Row.BOTTOM: "проигран"}
_SEEN: Final = {Row.TOP: "верх", Row.MIDDLE: "середину", Row.BOTTOM: "низ"}


def _face(rank: int) -> str:
    return _FACES.get(Rank(rank), str(int(rank)))


def _noun(rank: int) -> _Noun:
    return _RANKS[Rank(rank)]


_BEST: Final = "лучший ход"


def _plural(number: int, one: str, few: str, many: str) -> str:
    if number % 10 == 1 and number % 100 != 11:
        return one
    if 2 <= number % 10 <= 4 and not 12 <= number % 100 <= 14:
        return few
    return many


def _count(number: int, *, masculine: bool = False) -> str:
    """How many: две, два, пять, 12."""
    if number == 1:
        return "один" if masculine else "одна"
    if number == 2:
        return "два" if masculine else "две"
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)


def _cards(number: int) -> str:
    return f"{_count(number)} {_plural(number, 'карта', 'карты', 'карт')}"


def _live(rank: int, number: int) -> str:
    """Живых дам три."""
    noun = _noun(rank)
    if number == 1:
        return f"{'живой' if noun.masculine else 'живая'} {noun.who} {_count(1, masculine=noun.masculine)}"
    return f"живых {noun.many} {_count(number, masculine=noun.masculine)}"


def _cap(text: str) -> str:
    return text[:1].upper() + text[1:]


def _and(words: Sequence[str]) -> str:
    return " и ".join([", ".join(words[:-1]), words[-1]]) if len(words) > 1 else words[0]


_SECOND: Final = "второй по силе ход"
_SECOND_OF: Final = "второго по силе хода"


class Russian:
    """The sentences, each without facts of its own.

    `own`: whoever reads them played the hand; to anybody else they speak of the player.
    """

    language: Final = "ru"

    def __init__(self, laid_by: LaidBy = "player", *, own: bool = True) -> None:
        self._next: Final = laid_by == "next"
        self._own: Final = own
        self._at: Final = "во втором по силе ходе" if self._next else "у вас" if own else "у игрока"
        yours = ("ваш ход", "вашего хода", "вы разбили") if own else ("ход игрока", "хода игрока", "игрок разбил")
        self._move, of_move, self._split = {
            "player": yours,
            "table": ("ход стола", "хода стола", "стол разбил"),
            "next": (_SECOND, _SECOND_OF, f"{_SECOND} разбивает"),
        }[laid_by]
        self._after: Final = f"после {of_move}"
        self._then: Final = f"{self._after} " if self._next else ""
        """What is told of the move without naming it: of the second best it has to be said."""

    # -- names

    def join(self, sentences: Sequence[str]) -> str:
        """Sentences, one after the other; the best placement is not named twice."""
        told = [
            one.replace(_BEST, "он же", 1) if one.startswith(_BEST) and before.startswith(_BEST) else one
            for before, one in zip(["", *sentences], sentences, strict=False)
        ]
        return " ".join(f"{_cap(one)}." for one in told)

    def points(self, points: float) -> str:
        """0,8 очка; 2 очка."""
        text = f"{points:.1f}"
        if text.endswith(".0"):
            whole = int(text[:-2])
            return f"{whole} {_plural(whole, 'очко', 'очка', 'очков')}"
        return f"{text.replace('.', ',')} очка"

    def made(self, category: Category, ranks: Sequence[int]) -> str:
        """What a row is: пара дам."""
        first, *rest = ranks
        noun = _noun(first)
        match category:
            case Category.HIGH_CARD:
                return f"{'старший' if noun.masculine else 'старшая'} {noun.who}"
            case Category.PAIR:
                return f"пара {noun.many}"
            case Category.TWO_PAIR:
                return f"две пары, {_face(first)} и {_face(rest[0])}"
            case Category.TRIPS:
                return f"сет {noun.many}"
            case Category.STRAIGHT:
                return f"стрит до {noun.of}"
            case Category.FLUSH:
                return f"флеш от {noun.of}"
            case Category.FULL_HOUSE:
                return f"фулл, {_face(first)} и {_face(rest[0])}"
            case Category.QUADS:
                return f"каре {noun.many}"
            case Category.STRAIGHT_FLUSH:
                return "роял-флеш" if first == Rank.ACE else f"стрит-флеш до {noun.of}"

    def made_of(self, category: Category, ranks: Sequence[int]) -> str:
        """Instead of what: вместо пары дам."""
        first, *rest = ranks
        noun = _noun(first)
        match category:
            case Category.HIGH_CARD:
                return f"{'старшего' if noun.masculine else 'старшей'} {noun.of}"
            case Category.PAIR:
                return f"пары {noun.many}"
            case Category.TWO_PAIR:
                return f"двух пар, {_face(first)} и {_face(rest[0])}"
            case Category.TRIPS:
                return f"сета {noun.many}"
            case Category.STRAIGHT:
                return f"стрита до {noun.of}"
            case Category.FLUSH:
                return f"флеша от {noun.of}"
            case Category.FULL_HOUSE:
                return f"фулла, {_face(first)} и {_face(rest[0])}"
            case Category.QUADS:
                return f"каре {noun.many}"
            case Category.STRAIGHT_FLUSH:
                return "роял-флеша" if first == Rank.ACE else f"стрит-флеша до {noun.of}"

    def _need(self, made: Made, below: Category) -> str:
        """What beats that: вторая пара."""
        ranks = made.ranks
        match made.category:
            case Category.HIGH_CARD:
                return "нужна пара или карта старше"
            case Category.PAIR if below is Category.PAIR:
                return "нужна вторая пара или сет"
            case Category.PAIR if ranks[0] == Rank.ACE:
                return "нужны две пары или больше"
            case Category.PAIR:
                return "нужна пара старше или две пары"
            case Category.TWO_PAIR if below is Category.TWO_PAIR:
                return "нужен фулл"
            case Category.TWO_PAIR:
                return "нужны две пары старше или сет"
            case _:
                return "нужно что-то старше"

    def card(self, card: Card, *, suited: bool) -> str:
        """Девятка; девятка червей."""
        return _noun(card.rank).who + (f" {_SUITS[card.suit]}" if suited else "")

    def _whom(self, card: Card, *, suited: bool) -> str:
        return _noun(card.rank).whom + (f" {_SUITS[card.suit]}" if suited else "")

    # -- labels of live cards

    def saved(self) -> str:
        """Whose cards: of the chosen placement."""
        return "со вторым ходом" if self._next else "вас спасали" if self._own else "игрока спасали"

    def yours(self) -> str:
        """Whose cards: of the chosen placement."""
        return "со вторым ходом" if self._next else self._at

    def with_best(self, card: Card | None) -> str:
        """С тройкой; в лучшем ходе."""
        return "в лучшем ходе" if card is None else f"с {_noun(card.rank).by}"

    def partners(self, rank: int) -> str:
        """Which cards."""
        return f"живые {_face(rank)}"

    def to_top(self) -> str:
        """What for."""
        return "на верх"

    def to_flush(self) -> str:
        """What for."""
        return "до флеша"

    def to_straight(self) -> str:
        """What for."""
        return "до стрита"

    # -- danger

    def dead_for_sure(self, upper: Row, above: str, lower: Row, below: str) -> str:
        """Верх (пара дам) уже старше середины (пара девяток), рука мёртвая, что бы ни пришло."""
        return f"{self._then}{_ROW[upper]} ({above}) уже старше {_OF[lower]} ({below}), рука мёртвая, что бы ни пришло"

    def dead_whatever(self) -> str:
        """After the chosen placement nothing helps."""
        return f"{self._after} рука мёртвая, что бы ни пришло"

    def above(self, upper: Row, made: Made, lower: Row, below: Made, *, his: bool) -> str:
        """У вас на верху пара дам, а в середине пока пара восьмёрок: нужна вторая пара или сет."""
        need = self._need(made, below.category)
        yours = f"{self._at} " if his else ""
        if below.category is made.category and below.ranks[0] == made.ranks[0]:
            return f"{yours}{_ROW[upper]} пока старше {_OF[lower]}: {'ей' if lower is Row.MIDDLE else 'ему'} {need}"
        if below.category is Category.HIGH_CARD and made.category is not Category.HIGH_CARD:
            now = f"а {_AT[lower]} пары ещё нет"
        else:
            now = f"а {_AT[lower]} пока {self.made(below.category, below.ranks)}"
        return f"{yours}{_AT[upper]} {self.made(made.category, made.ranks)}, {now}: {need}"

    def saviours(self, own: int, best: int, card: Card | None, *, only: bool) -> str:
        """Руку спасали только четыре карты, с тройкой таких пять."""
        verb = _plural(own, *(("спасает", "спасают", "спасают") if self._next else ("спасала", "спасали", "спасали")))
        return f"{self._then}руку {verb} {'только ' if only else ''}{_cards(own)}, {self.with_best(card)} таких {_count(best)}"

    def lifts(self, lower: Row, upper: Row, own: int, best: int) -> str:
        """Поднять середину над верхом сразу могут пять живых карт, в лучшем ходе восемь."""
        lift = f"{self._then}поднять {_SEEN[lower]} над {_OVER[upper]} сразу"
        if own == 0:
            return f"{lift} не может ни одна живая карта, в лучшем ходе таких {_count(best)}"
        cards = f"{_count(own)} {_plural(own, 'живая карта', 'живые карты', 'живых карт')}"
        return f"{lift} {_plural(own, 'может', 'могут', 'могут')} {cards}, в лучшем ходе {_count(best)}"

    def tops_lower(self, upper: Row, own: Made, best: Made) -> str:
        """На верху старшая дама вместо пары девяток: середине легче быть старше."""
        made, instead = self.made(best.category, best.ranks), self.made_of(own.category, own.ranks)
        return f"{_AT[upper]} {made} вместо {instead}: {_FOR[_BELOW[upper]]} легче быть старше"

    # -- Fantasyland

    def entry_made(self, made: Made) -> str:
        """Пара дам на верху ведёт в фантазию."""
        return f"{self.made(made.category, made.ranks)} на верху ведёт в фантазию"

    def entry_hope(self, rank: int, live: int) -> str:
        """Дама на верху ждёт пары и фантазии, живых дам три."""
        return f"{_noun(rank).who} на верху ждёт пары и фантазии, {_live(rank, live)}"

    def entry_closed(self) -> str:
        """No pair that enters can come on top any more."""
        return f"{self._after} на верху уже не собрать пару, которая ведёт в фантазию"

    def entry_room(self, lowest: int, *, free: int) -> str:
        """На верху остаётся место под пару дам или старше."""
        older = "" if lowest == Rank.ACE else " и старше"
        if free == 3:
            return f"верх лучше пока не трогать: он ждёт пары {_noun(lowest).many}{older}"
        return f"на верху остаётся место для пары {_noun(lowest).many}{older}"

    # -- what rows can become

    def pair(self, row: Row, rank: int, live: int, *, split: bool) -> str:
        """Лучший ход даёт пару восьмёрок на низу, до сета живы ещё две."""
        many = _noun(rank).many
        found = f"{_BEST} даёт пару {many} {_AT[row]}"
        head = f"{self._split} пару {many}, ей место {_AT[row]}" if split else found
        return f"{head}{self._to_trips(rank, live)}"

    def pair_elsewhere(self, row: Row, other: Row, rank: int) -> str:
        """Пара восьмёрок нужнее на низу, чем в середине."""
        return f"пара {_noun(rank).many} нужнее {_AT[row]}, чем {_AT[other]}"

    def second_pair(self, row: Row, made: Made) -> str:
        """Лучший ход даёт на низу две пары, J и 7."""
        return f"{_BEST} даёт {_AT[row]} {self.made(made.category, made.ranks)}"

    def set_of(self, row: Row, made: Made) -> str:
        """Лучший ход даёт сет девяток на низу."""
        return f"{_BEST} даёт {self.made(made.category, made.ranks)} {_AT[row]}"

    def _to_trips(self, rank: int, live: int) -> str:
        noun = _noun(rank)
        if not live:
            return ""
        return f", до сета {_plural(live, 'жив' if noun.masculine else 'жива', 'живы', 'живы')} ещё {_count(live, masculine=noun.masculine)}"

    def flush(self, row: Row, suit: Suit, have: int, live: int, breaks: Card | None) -> str:
        """Лучший ход держит на низу четыре пики: до флеша не хватает одной, живых ещё семь."""
        if have == 5:
            held = f"{_BEST} даёт флеш {_AT[row]}"
        else:
            left = "жива ещё одна" if live == 1 else f"живых ещё {_count(live)}"
            missing = f"до флеша не хватает {_OF_COUNT[5 - have]}, {left}"
            held = f"{_BEST} держит {_AT[row]} {_count(have)} {_OF_SUIT[suit]}: {missing}"
        return held if breaks is None else f"{held}. {_cap(self._at)} флеш ломает {self.card(breaks, suited=True)}"

    def straight(self, row: Row, ranks: Sequence[int], live: int) -> str:
        """Лучший ход держит на низу 7-8-9: к стриту ведут 12 живых карт."""
        cards = f"{_count(live)} {_plural(live, 'живая карта', 'живые карты', 'живых карт')}"
        lead = _plural(live, "ведёт", "ведут", "ведут")
        return f"{_BEST} держит {_AT[row]} {'-'.join(map(_face, ranks))}: к стриту {lead} {cards}"

    def trade(self, kept: int, live: int, thrown: int, other: int) -> str:
        """Живых троек две, а королей только один."""
        two = _noun(thrown)
        rest = "не осталось" if other == 0 else f"только {_count(other, masculine=two.masculine)}"
        return f"{_live(kept, live)}, а {two.who if other == 1 else two.many} {rest}"

    def closed(self, row: Row, own: Made) -> str:
        """Ваш ход закрывает низ, и там так и останется пара шестёрок."""
        rest = "останутся" if own.category is Category.TWO_PAIR else "останется"
        return f"{self._move} закрывает {_SEEN[row]}, и там так и {rest} {self.made(own.category, own.ranks)}"

    def becomes(self, row: Row, best: Made, own: Made) -> str:
        """Низ: стрит до девятки вместо пары дам."""
        return f"{_ROW[row]} сильнее: {self._instead(best, own)}"

    def _instead(self, best: Made, own: Made) -> str:
        if best.category is own.category and best.ranks[0] == own.ranks[0] and len(best.ranks) == len(own.ranks):
            made = self.made(best.category, best.ranks)
            better, worse = next(pair for pair in zip(best.ranks, own.ranks, strict=True) if pair[0] != pair[1])
            if self.made(own.category, own.ranks) == made:
                return f"{made} с {_noun(better).by} вместо {_noun(worse).of}"
        return f"{self.made(best.category, best.ranks)} вместо {self.made_of(own.category, own.ranks)}"

    # -- the end

    def fouls(self, upper: Row, above: str, lower: Row, below: str, *, equal: bool) -> str:
        """Верх (пара дам) оказывается старше середины (пара девяток), и рука мёртвая."""
        if equal:
            return f"{self._then}{_ROW[upper]} и {_ROW[lower]} равны, а равные ряды здесь дают мёртвую руку"
        return f"{self._then}{_ROW[upper]} ({above}) оказывается старше {_OF[lower]} ({below}), и рука мёртвая"

    def in_order(self) -> str:
        """What the best does instead."""
        return f"{_BEST} оставляет ряды по порядку"

    def enters(self, made: Made) -> str:
        """Пара дам на верху даёт фантазию, и рука живая."""
        return f"{self.made(made.category, made.ranks)} на верху даёт фантазию, и рука живая"

    def enters_more(self, made: Made, cards: int, own: int) -> str:
        """Пара королей на верху: в фантазии 15 карт вместо 14."""
        return f"{self.made(made.category, made.ranks)} на верху: в фантазии {cards} карт вместо {own}"

    def stays(self, row: Row, made: Made) -> str:
        """Каре дам на низу оставляет в фантазии, такая раскладка здесь была."""
        return f"{self.made(made.category, made.ranks)} {_AT[row]} оставляет в фантазии, такая раскладка здесь была"

    def royalties(self, row: Row, best: Made, own: Made, more: int) -> str:
        """Низ: стрит до девятки вместо пары дам, роялти на 2 больше."""
        return f"{_ROW[row]}: {self._instead(best, own)}, роялти на {more} больше"

    def wins(self, row: Row, best: Made, own: Made) -> str:
        """Верх уже не проигран, а вничью: старший туз вместо старшей дамы."""
        return f"{_ROW[row]} уже не {_LOST[row]}, а вничью: {self._instead(best, own)}"

    def takes(self, row: Row, best: Made, own: Made) -> str:
        """Середина теперь выиграна: пара дам вместо старшего туза."""
        return f"{_ROW[row]} теперь {_WON[row]}: {self._instead(best, own)}"

    # -- numbers

    def chances(self, fewer_dead: int, more_fantasyland: int) -> str:
        """Мёртвых рук на девять из ста меньше; the differences in hundredths, 0 for no word of it, not both 0."""
        dead, entries = abs(fewer_dead), abs(more_fantasyland)
        if not entries:
            return f"мёртвых рук становится на {dead} из ста {'меньше' if fewer_dead > 0 else 'больше'}"
        if not dead:
            return f"фантазий становится на {entries} из ста {'больше' if more_fantasyland > 0 else 'меньше'}"
        if fewer_dead > 0 and more_fantasyland > 0:
            return f"мёртвых рук становится на {dead} из ста меньше, а фантазий на {entries} больше"
        if fewer_dead > 0:
            return f"фантазий на {entries} из ста меньше, зато мёртвых рук меньше на {dead}"
        if more_fantasyland > 0:
            return f"мёртвых рук на {dead} из ста больше, зато фантазий больше на {entries}"
        return f"мёртвых рук на {dead} из ста больше, фантазий на {entries} меньше"

    def chances_and_worth(self, fewer_dead: int, more_fantasyland: int, points: float, *, royalties: bool) -> str:
        """Where the chances do not tell it all: what rows and royalties add."""
        what = "ряды с роялти приносят" if royalties else "ряды приносят"
        joint = "да и" if fewer_dead > 0 or more_fantasyland > 0 else "зато"
        told = self.chances(fewer_dead, more_fantasyland)
        return f"{told}, {joint} {what} больше. В среднем это {self.points(points)} за раздачу"

    def worth(self, points: float, *, royalties: bool) -> str:
        """Ряды и роялти приносят на столько больше."""
        what = "ряды и роялти приносят" if royalties else "ряды приносят"
        return f"{what} больше, в среднем на {self.points(points)} за раздачу"

    def in_all(self, points: float) -> str:
        """В среднем это 0,8 очка за раздачу."""
        return f"в среднем это {self.points(points)} за раздачу"

    def exactly(self, points: float) -> str:
        """Это 2 очка."""
        return f"это {self.points(points)}"

    def after_best(self, dead: int, *, certain: bool) -> str:
        """After the best placement, so many in a hundred; `certain`: of the chosen one it has been said."""
        if not certain:
            return f"{self._after} мёртвые почти все руки, после лучшего {dead} из ста"
        if not dead:
            return "после лучшего хода она остаётся живой"
        return f"после лучшего хода {_plural(dead, 'мёртвая рука', 'мёртвых рук', 'мёртвых рук')} {dead} из ста"

    def better(self, moves: Sequence[tuple[Row | None, Sequence[Card]]], suited: Collection[Card]) -> str:
        """Лучше валета и двойку на низ, семёрку в сброс; with the suits of some."""
        told = [
            f"{_and([self._whom(card, suited=card in suited) for card in cards])} {'в сброс' if row is None else _TO[row]}"
            for row, cards in moves
        ]
        return f"{f'{_BEST} кладёт' if self._next else 'лучше'} {', '.join(told)}"

    def layout(self, rows: Sequence[tuple[Row, Made]]) -> str:
        """Лучше так: на верху пара дам, в середине стрит до девятки, на низу флеш от туза."""
        return f"лучше так: {', '.join(f'{_AT[row]} {self.made(made.category, made.ranks)}' for row, made in rows)}"
