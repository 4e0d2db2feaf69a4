"""Why the best is better: the sentences themselves, and that they are true of any position."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from ananas.coach import cause as module
from ananas.coach.cause import LONGEST, cause
from ananas.coach.report import Cause, Option, Other, Spot
from ananas.coach.words_en import English
from ananas.coach.words_ru import LaidBy, Russian
from ananas.game.board import ROWS, Board, Placement, placements
from ananas.game.cards import DECK, Card, parse_cards
from ananas.game.rules import RULE_SETS, RuleSet
from tests.chance import Chance

TABLE = Path(__file__).parents[1] / "data" / "causes.txt"
COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
IN_RUSSIAN = {3: "три", 4: "четыре", 5: "пять", 6: "шесть", 7: "семь", 8: "восемь", 9: "девять", 10: "десять"}


class Told(NamedTuple):
    """A position of the table and what is said of it."""

    rules: RuleSet
    spot: Spot
    chosen: Option
    best: Option
    ru: str
    en: str
    live: tuple[str, ...]


def option(text: str, best: float = 0.0) -> Option:
    """Read `placement points foul fantasyland`, the chances in hundredths."""
    placement, points, foul, fantasyland = re.split(r" +(?=[-\d.]+(?: |$))", text)
    return Option(
        placement=placement,
        points=float(points),
        behind=max(0.0, best - float(points)),
        error=0.05,
        foul=int(foul) / 100,
        fantasyland=int(fantasyland) / 100,
        equal=False,
        guess=False,
    )


def spot_of(text: str) -> Spot:
    """Read `street board dealt lays discards others...`; `F14` instead of a street for Fantasyland."""
    street, board, dealt, lays, discards, *others = text.split()
    inside = int(street[1:]) if street.startswith("F") else 0
    return Spot(
        seat=0,
        street=1 if inside else int(street),
        fantasyland=inside,
        board=Board.parse(board),
        dealt=parse_cards(dealt),
        to_lay=int(lays),
        discards=parse_cards(discards.strip("-")),
        others=tuple(Other(seat=seat, board=Board.parse(one), inside=0) for seat, one in enumerate(others, 1)),
    )


def table() -> Iterator[Told]:
    """The positions of the table, which tells how it is written."""
    for block in TABLE.read_text(encoding="utf-8").split("\n\n"):
        lines = [line for line in block.strip().splitlines() if not line.startswith("#")]
        if not lines:
            continue
        fields = dict(line.split(": ", 1) for line in lines if not line.startswith("live"))
        best = option(fields["best"])
        yield Told(
            RuleSet.parse(fields["rules"]),
            spot_of(fields["spot"]),
            option(fields["own"], best.points),
            best,
            fields["ru"],
            fields["en"],
            tuple(line.removeprefix("live: ") for line in lines if line.startswith("live")),
        )


TOLD = tuple(table())


@pytest.mark.parametrize("told", TOLD, ids=[f"{place}" for place in range(len(TOLD))])
def test_what_is_said(told: Told) -> None:
    found = cause(told.spot, told.rules, told.chosen, told.best)
    assert found is not None
    assert (found.text["ru"], found.text["en"]) == (told.ru, told.en)
    assert live_lines(found) == told.live
    check(told.spot, found, told.rules)


def live_lines(found: Cause) -> tuple[str, ...]:
    """The live cards as the table writes them: both labels and the cards, `best` where they are of the best."""
    return tuple(
        f"{live.label['ru']} | {live.label['en']} | {' '.join(live.cards)}{' | best' if live.best else ''}"
        for live in found.live
    )


def check(spot: Spot, found: Cause, rules: RuleSet) -> None:
    """What holds of every cause."""
    seen = {
        *spot.board.cards,
        *spot.dealt,
        *spot.discards,
        *(card for other in spot.others for card in other.board.cards),
    }
    assert set(found.text) == {"ru", "en"}
    for text in found.text.values():
        assert 10 < len(text) <= LONGEST
        assert text.endswith(".")
        assert not re.search(r"None|[{}\[\]<>]|  |\.\.| ,|,,", text)
        assert all(sentence[0].upper() == sentence[0] for sentence in re.split(r"\. ", text))
        if rules.royalties == "none":
            assert not re.search("роялти|royalt", text.lower())
        if rules.fantasyland == "off":
            assert not re.search("фантаз|fantasy", text.lower())
    for live in found.live:
        assert set(live.label) == {"ru", "en"}
        assert live.cards
        assert len(set(live.cards)) == len(live.cards)
        assert not seen & set(live.cards)
        count = len(live.cards)
        assert re.search(rf"\b{COUNTS[count] if count < len(COUNTS) else count}\b", found.text["en"].lower())
        if count >= 3:
            assert re.search(rf"\b{IN_RUSSIAN.get(count, count)}\b", found.text["ru"].lower())


# -- any position


def anything(chance: Chance) -> tuple[RuleSet, Spot, Option, Option]:
    """A position laid by lot, two placements of it, and numbers by lot."""
    rules = chance.pick(
        [*RULE_SETS.values(), RuleSet.parse("room royalties=none"), RuleSet.parse("room fantasyland=off"),
         RuleSet.parse("room royalties=none fantasyland=off equality=strict"), RuleSet.parse("club fantasyland_entry=55")]
    )  # fmt: skip
    deck = chance.shuffled(DECK)
    deal, place = rules.deal, rules.place
    if rules.fantasyland == "on" and chance.below(8) == 0:
        deal, place = (rules.fantasyland_cards[0],), (13,)
    street = chance.below(len(deal))
    inside = deal[0] if place == (13,) else 0
    board, discards = Board(), list[Card]()
    if inside:
        dealt, deck = deck[:inside], deck[inside:]
        one, two = (lay_out(chance.shuffled(dealt)) for _ in range(2))
    else:
        for earlier in range(street):
            hand, deck = deck[: deal[earlier]], deck[deal[earlier] :]
            laid = chance.pick(list(placements(board, hand, place[earlier])))
            board, discards = board.place(laid), [*discards, *laid.discards]
        dealt, deck = deck[: deal[street]], deck[deal[street] :]
        ways = list(placements(board, dealt, place[street]))
        one, two = chance.pick(ways), chance.pick(ways)
    others: list[Other] = []
    for seat in range(1, 2 + chance.below(rules.seats[1] - 1)):
        count = chance.pick([0, 5, 7, 9, 11, 13])
        cards, deck = deck[:count], deck[count:]
        top = min(3, count // 3)
        middle = min(5, (count - top) // 2)
        bottom = count - top - middle
        if bottom <= 5:
            others.append(
                Other(
                    seat=seat,
                    board=Board(tuple(cards[:top]), tuple(cards[top : top + middle]), tuple(cards[top + middle :])),
                    inside=0,
                )
            )
    if len(others) == 0:
        others.append(Other(seat=1, board=Board(), inside=14 if rules.fantasyland == "on" else 0))
    spot = Spot(
        seat=0, street=street + 1, fantasyland=inside, board=board, dealt=tuple(dealt), to_lay=place[street],
        discards=tuple(discards), others=tuple(others),
    )  # fmt: skip
    loss = 0.3 + 6 * chance.unit()
    chosen, best = (
        Option(placement=str(way), points=points, behind=-points, error=0.1, foul=chance.unit() ** 2, equal=False, guess=False,
               fantasyland=chance.unit() ** 2 if rules.fantasyland == "on" else 0.0)
        for way, points in ((one, -loss), (two, 0.0))
    )  # fmt: skip
    return rules, spot, chosen, best


def lay_out(cards: list[Card]) -> Placement:
    return Placement(tuple(cards[:3]), tuple(cards[3:8]), tuple(cards[8:13]), tuple(cards[13:]))


@pytest.mark.parametrize("part", range(6))
def test_any_position_is_told_truly(part: int) -> None:
    chance = Chance(f"causes {part}")
    for _ in range(120):
        rules, spot, chosen, best = anything(chance)
        found = cause(spot, rules, chosen, best)
        if found is None:
            one, two = (Placement.parse(option.placement) for option in (chosen, best))
            assert all(set(one.row(row)) == set(two.row(row)) for row in ROWS)
            continue
        check(spot, found, rules)
        assert cause(spot, rules, chosen, best) == found


# -- to whom it is said, and of whom

TO_THE_READER = re.compile(r"\b(вы|вас|вам|ваш\w*|you|your|yours)\b", re.IGNORECASE)
OF_ANYBODY = re.compile(r"игрок|стол|player|table", re.IGNORECASE)


def all_words(found: Cause) -> str:
    return " ".join([*found.text.values(), *(word for live in found.live for word in live.label.values())])


def everything(most: int) -> Iterator[tuple[RuleSet, Spot, Option, Option]]:
    """The positions of the table, and some by lot."""
    yield from ((told.rules, told.spot, told.chosen, told.best) for told in TOLD)
    chance = Chance("to whom")
    yield from (anything(chance) for _ in range(most))


def to_strangers(laid_by: LaidBy) -> Iterator[Cause]:
    for rules, spot, chosen, best in everything(30):
        if (found := cause(spot, rules, chosen, best, laid_by, own=False)) is not None:
            check(spot, found, rules)
            yield found


def test_a_stranger_is_told_of_the_player_and_never_spoken_to() -> None:
    said = [all_words(found) for found in to_strangers("player")]
    assert [words for words in said if TO_THE_READER.search(words)] == []
    assert sum("игрок" in words.lower() and "player" in words.lower() for words in said) > 15
    assert not any(re.search("стол|table", words) for words in said)
    assert not any(TO_THE_READER.search(all_words(found)) for found in to_strangers("table"))


def russian(*_: object, **__: object) -> Russian:
    """Speaks to everybody as to the player."""
    return Russian()


def english(*_: object, **__: object) -> English:
    """The same in English."""
    return English()


@pytest.mark.parametrize(("name", "words"), [("Russian", russian), ("English", english)])
def test_who_is_spoken_to_by_mistake_is_caught(
    monkeypatch: pytest.MonkeyPatch, name: str, words: Callable[..., object]
) -> None:
    monkeypatch.setattr(module, name, words)
    assert any(TO_THE_READER.search(all_words(found)) for found in to_strangers("player"))


def test_what_the_table_laid_is_not_called_the_players_move() -> None:
    for rules, spot, chosen, best in everything(0):
        found = cause(spot, rules, chosen, best, "table")
        assert found is not None
        assert not re.search(r"ваш\w* ход|вы разбили|your move|you split|yours breaks", all_words(found), re.IGNORECASE)


def test_the_second_best_is_nobodys_move() -> None:
    for rules, spot, chosen, best in everything(30):
        if (found := cause(spot, rules, chosen, best, "next")) is not None:
            check(spot, found, rules)
            if not spot.fantasyland:
                assert not TO_THE_READER.search(all_words(found))
                assert not OF_ANYBODY.search(all_words(found))


def test_a_single_dead_hand_in_a_hundred_is_told_as_one() -> None:
    assert [words.after_best(1, certain=True) for words in (Russian(), English())] == [
        "после лучшего хода мёртвая рука 1 из ста",
        "after the best move 1 hand in a hundred is dead",
    ]
    assert Russian().after_best(12, certain=True) == "после лучшего хода мёртвых рук 12 из ста"


def test_what_is_said_of_chances_is_the_difference_of_those_beside_it() -> None:
    said = 0
    for rules, spot, chosen, best in everything(400):
        if (found := cause(spot, rules, chosen, best)) is None:
            continue
        for number, which in re.findall(r"(\d+) (fewer|more) dead hands", found.text["en"]):
            fewer = round(100 * chosen.foul) - round(100 * best.foul)
            assert fewer == (int(number) if which == "fewer" else -int(number)), found.text["en"]
            said += 1
    assert said > 20
