"""What a hand history says, who may know what of it, how it is written, and how it is played again."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate
from typing import Final, Literal, TypeVar

import msgspec
from msgspec.structs import replace

from ananas.game.board import ROWS, Placement
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.notation.toml import Path
from ananas.game.notation.words import Cards, print_known
from ananas.game.rules import RuleSet
from ananas.refused import Refused

_T = TypeVar("_T")
_KEPT: Final = "kept "
_DRAFT: Final = re.compile(r"kept ([^\s/]+/[^\s/]+/[^\s/]+(?: x\S+)?)")
NO_COMMENT: Final = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")
"""What no comment can hold: whatever ends its line, or is no text to TOML."""


class Action(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a history: `pl` placed, `au` placed by the table when time had run out, `dh` dealt.

    `player`: his number in the history, counted from 0. `laid`: what went to the rows. `cards`: what was thrown away, or
    for `dh` what was dealt, in order of receipt. `comment`: a line of free text. As text players count from 1:

    >>> action = Action(kind="pl", player=0, laid=Placement.parse("Qh/9h/-"), cards=(None,))
    >>> str(action)
    'p1 pl Qh/9h/- x??'

    Raises `ValueError` for a comment that could not be read back.
    """

    kind: Literal["pl", "au", "dh"]
    player: int
    laid: Placement = Placement()
    cards: Cards = ()
    comment: str = ""

    def __post_init__(self) -> None:
        if NO_COMMENT.search(self.comment) or self.comment != self.comment.strip():
            raise ValueError(f"{self.comment!r:.60} is no comment; it is one line without spaces around it")

    def __str__(self) -> str:
        if self.kind == "dh":
            return f"d dh p{self.player + 1} {print_known(self.cards)}"
        thrown = f" x{print_known(self.cards)}" if self.cards else ""
        return f"p{self.player + 1} {self.kind} {self.laid.rows}{thrown}"

    @property
    def named(self) -> Cards:
        """Every card of the action."""
        return (*self.laid.cards, *self.cards)

    @property
    def kept(self) -> str:
        """The draft the table kept, as text, where the comment behind an `au` begins with one."""
        found = _DRAFT.match(self.comment) if self.kind == "au" else None
        return found[1] if found else ""


class HandHistory(msgspec.Struct, frozen=True, kw_only=True, dict=True):
    """A hand as it is written down: whole or in part, as far as somebody knows it.

    `players`: their names, in the order of their seats; all lists are in this order. `button`: which of them holds it,
    counted from 0. `seats`: their seats at the table, from 0. `starting_stacks`: empty where nothing limits payments.
    `in_fantasyland`: with how many cards each lays at once, `repeats`: how often in a row he has stayed there; empty
    where all are 0. `points`, `finishing_stacks`, `fantasyland` (with how many cards each plays the next hand): checks,
    empty where they are not told. `table`, `match`, `number`, `time`: which hand this was, and when, as a TOML date or time.
    """

    rules: RuleSet
    players: tuple[str, ...]
    button: int
    seats: tuple[int, ...]
    starting_stacks: tuple[int, ...] = ()
    in_fantasyland: tuple[int, ...] = ()
    repeats: tuple[int, ...] = ()
    actions: tuple[Action, ...] = ()
    points: tuple[int, ...] = ()
    finishing_stacks: tuple[int, ...] = ()
    fantasyland: tuple[int, ...] = ()
    table: str = ""
    match: int | None = None
    number: int | None = None
    time: str = ""

    @classmethod
    def whole(
        cls,
        hand: Hand,
        players: Sequence[str],
        automatic: Mapping[tuple[int, int], Placement | None] | None = None,
    ) -> HandHistory:
        """The whole truth of a hand, for those who keep it.

        `players`: names in order of play, as the hand has them. `automatic`: what the table laid, by seat and street,
        with the draft it kept, if any.
        """
        return _history(hand, players, automatic or {}, lambda _player: True)

    @classmethod
    def seen_by(
        cls,
        hand: Hand,
        viewer_seat: int | None,
        players: Sequence[str],
        automatic: Mapping[tuple[int, int], Placement | None] | None = None,
    ) -> HandHistory:
        """What the one at a seat may know of a hand; None, or a seat that is not dealt in, is a spectator.

        Others' discards are `??`; what still lies face down is left out.

        >>> hand = Hand.deal(RuleSet(), DECK, seats=(0, 1)).place(0, Placement.parse("-/2c3c/4c5c6c"))
        >>> [str(action) for action in HandHistory.seen_by(hand, 0, ("ann", "bob")).actions]
        ['p1 pl -/2c3c/4c5c6c', 'd dh p2 2h3h4h5h6h']
        """
        return _history(hand, players, automatic or {}, lambda player: hand.seats[player] == viewer_seat)

    @property
    def order(self) -> tuple[int, ...]:
        """The players in order of play: the button's left first, the button last."""
        return tuple((self.button + 1 + i) % len(self.players) for i in range(len(self.players)))

    @cached_property
    def hand(self) -> Hand:
        """The hand, played again; cards that the history does not tell stand in its deck in any order.

        Its players are in order of play. Raises `Refused("bad-history")` where it cannot have been played so.
        """
        return _play(self)

    @cached_property
    def text(self) -> str:
        """The history as TOML. One that was read keeps the text it was read from, comments and all."""
        return _write(self)


# -- writing


def write_history(history: HandHistory) -> str:
    """Write one history, for a file that ends in `.ofc`; what was read is written as it stood."""
    return history.text


def write_histories(histories: Sequence[HandHistory]) -> str:
    """Write several, for a file that ends in `.ofcs`: each under its number. Only comments after actions are kept."""
    texts = (_write(history).replace("\n[rules]", f"\n[{number}.rules]") for number, history in enumerate(histories, 1))
    return "\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1))


def _write(history: HandHistory) -> str:
    def whole(numbers: Sequence[int]) -> str:
        return f"[{', '.join(map(str, numbers))}]"

    changes = history.rules.changes
    streak = bool(history.in_fantasyland or history.repeats)
    nothing = (0,) * len(history.players)
    fields = {
        "variant": _string(variant(history.rules)),
        "rules": "" if changes else _string(history.rules.base),
        "table": history.table and _string(history.table),
        "match": history.match and str(history.match),
        "hand": history.number and str(history.number),
        "time": history.time,
        "players": f"[{', '.join(map(_string, history.players))}]",
        "seats": "" if history.seats == tuple(range(len(history.players))) else whole([s + 1 for s in history.seats]),
        "button": str(history.button + 1),
        "starting_stacks": history.starting_stacks and whole(history.starting_stacks),
        "in_fantasyland": streak and whole(history.in_fantasyland or nothing),
        "repeats": streak and whole(history.repeats or nothing),
        "actions": "\n".join(("[", *map(_line, history.actions), "]")),
        "points": history.points and whole(history.points),
        "finishing_stacks": history.finishing_stacks and whole(history.finishing_stacks),
        "fantasyland": history.fantasyland and whole(history.fantasyland),
    }
    lines = [f"{name} = {value}" for name, value in fields.items() if value]
    if changes:
        own = {name: text if re.fullmatch("0|[1-9][0-9]*", text) else _string(text) for name, text in changes.items()}
        lines += ["", "[rules]", f"base = {_string(history.rules.base)}", *(f"{n} = {text}" for n, text in own.items())]
    return "\n".join(lines) + "\n"


def _line(action: Action) -> str:
    comment = f"  # {action.comment}" if action.comment else ""
    return f'  "{action}",{comment}'


def _string(text: str) -> str:
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def variant(rules: RuleSet) -> str:
    """The name of the game: `OFC/P` where cards are thrown away, `OFC` where every card dealt is laid."""
    return "OFC" if rules.deal == rules.place else "OFC/P"


# -- from a hand


def _history(
    hand: Hand,
    players: Sequence[str],
    automatic: Mapping[tuple[int, int], Placement | None],
    owns: Callable[[int], bool],
) -> HandHistory:
    """Fill a history in, by name, from what somebody may know who owns the cards of some of the players."""
    first = hand.seats.index(min(hand.seats))
    listed = (*range(first, len(hand.seats)), *range(first))

    def ordered(values: Sequence[_T]) -> tuple[_T, ...]:
        return tuple(values[player] for player in listed)

    def if_any(values: Sequence[int]) -> tuple[int, ...]:
        return ordered(values) if any(values) else ()

    results = hand.reckoning.players if hand.reckoning else ()
    stacks = [result.stack for result in results if result.stack is not None]
    return HandHistory(
        rules=hand.rules,
        players=ordered(players),
        button=listed.index(len(hand.seats) - 1),
        seats=ordered(hand.seats),
        starting_stacks=ordered(hand.stacks) if hand.stacks else (),
        in_fantasyland=if_any(hand.fantasyland),
        repeats=if_any(hand.repeats),
        actions=tuple(_actions(hand, listed, automatic, owns)),
        points=ordered([result.points for result in results]) if results else (),
        finishing_stacks=ordered(stacks) if stacks else (),
        fantasyland=ordered([result.fantasyland for result in results]) if results else (),
    )


def _actions(
    hand: Hand,
    listed: Sequence[int],
    automatic: Mapping[tuple[int, int], Placement | None],
    owns: Callable[[int], bool],
) -> Iterator[Action]:
    def turn(laid: tuple[int, int]) -> tuple[int, ...]:
        player, street = laid
        if hand.closed:
            return listed.index(player), street
        return (1, 0, listed.index(player)) if hand.fantasyland[player] else (0, street, player)

    def face_down(player: int) -> bool:
        return not owns(player) and not hand.over and (hand.closed or hand.fantasyland[player] > 0)

    def received(player: int, street: int) -> tuple[Card, ...]:
        start = player * (len(hand.deck) // len(hand.seats))
        counts = [hand.fantasyland[player]] if hand.fantasyland[player] else hand.rules.deal
        ends = list(accumulate(counts, initial=start))
        return hand.deck[ends[street - 1] : ends[street]]

    shown = [player for player in range(len(hand.seats)) if not face_down(player)]
    laid = [(player, street) for player in shown for street in range(1, len(hand.placements[player]) + 1)]
    for player, street in sorted(laid, key=turn):
        placement, number = hand.placements[player][street - 1], listed.index(player)
        rows = Placement(placement.top, placement.middle, placement.bottom)
        cards = placement.discards if owns(player) else (None,) * len(placement.discards)
        by_table = (hand.seats[player], street) in automatic
        if by_table and owns(player):
            yield Action(kind="dh", player=number, cards=received(player, street))
        kept = automatic.get((hand.seats[player], street)) if owns(player) else None
        comment = f"{_KEPT}{kept}" if kept and kept.cards else ""
        yield Action(kind="au" if by_table else "pl", player=number, laid=rows, cards=cards, comment=comment)
    for player in sorted(set(hand.acting) & set(shown), key=listed.index):
        dealt = hand.dealt(player)
        in_the_open = hand.street_of(player) == 1 and hand.rules.street_one == "open"
        known = owns(player) or (in_the_open and not hand.closed and not hand.fantasyland[player])
        yield Action(kind="dh", player=listed.index(player), cards=dealt if known else (None,) * len(dealt))


# -- playing


class Fault(Refused):
    """What is wrong with a history, and at which of its values; `part`: the piece of an action it lies at."""

    def __init__(self, path: Path, detail: str, part: str = "") -> None:
        super().__init__("bad-history", line=1, column=1, detail=detail)
        self.path: Final = path
        self.part: Final = part
        self.detail: Final = detail


def _play(history: HandHistory) -> Hand:
    """Play a history; the deck is made of what its actions name, and of all other cards for what they do not."""
    try:
        _check_cards(history)
    except Fault as fault:
        # What went wrong first is told first, and whose turn it is comes before which cards.
        number = fault.path[1]
        if isinstance(number, int) and history.actions[number].player < len(history.players):
            hand = _play(
                replace(history, actions=history.actions[:number], points=(), finishing_stacks=(), fantasyland=())
            )
            _check_turn(hand, history, number)
        raise
    known = {card for action in history.actions for card in action.named if card}
    others = iter([card for card in DECK if card not in known])
    received: list[list[Card]] = [[] for _ in history.players]
    waiting: dict[int, Cards] = {}
    placements: list[Placement | None] = []
    for action in history.actions:
        if action.kind == "dh":
            waiting[action.player] = action.cards
            placements.append(None)
            continue
        placement = replace(action.laid, discards=tuple(card or next(others) for card in action.cards))
        told = [card for card in waiting.pop(action.player, ()) if card]
        received[action.player] += told or placement.cards
        placements.append(placement)
    for player, left in waiting.items():
        received[player] += [card or next(others) for card in left]
    hand = _deal(history, received, list(others))
    for number, action in enumerate(history.actions):
        hand = _act(hand, history, number, action, placements[number])
    _check_result(history, hand)
    return hand


def _check_turn(hand: Hand, history: HandHistory, number: int) -> None:
    """Refuse an action out of turn; whose board is full is told by the count of cards."""
    player = history.actions[number].player
    if hand.acting and history.order.index(player) not in hand.acting:
        turn = ", ".join(f"p{history.order[acting] + 1}" for acting in hand.acting)
        raise Fault(("actions", number), f"it is the turn of {turn}, not of p{player + 1}", f"p{player + 1}")


def _check_cards(history: HandHistory) -> None:
    """Refuse actions that name too many or too few cards, or one card twice."""
    holders: dict[Card, tuple[int, int]] = {}
    streets = [0] * len(history.players)
    owners = _owners(history)
    waiting: dict[int, int] = {}
    by_table = set[int]()
    for number, action in enumerate(history.actions):
        path, player, name = ("actions", number), action.player, f"p{action.player + 1}"
        if player >= len(history.players):
            raise Fault(path, f"there is no {name}; there are {len(history.players)} players", name)
        fantasyland = history.in_fantasyland[player] if history.in_fantasyland else 0
        deal = (fantasyland,) if fantasyland else history.rules.deal
        if streets[player] == len(deal):
            raise Fault(path, f"{name} has laid his whole board", name)
        piece = print_known(action.cards) if action.kind == "dh" else action.laid.rows
        if len(action.named) != deal[streets[player]]:
            where = "in Fantasyland" if fantasyland else f"on street {streets[player] + 1}"
            wanted = f"{name} gets {deal[streets[player]]} cards {where}"
            raise Fault(path, f"{wanted}, here are {len(action.named)}", piece)
        holder = player, streets[player]
        known = [card for card in action.named if card]
        for place, card in enumerate(known):
            if card in known[:place] or holders.setdefault(card, holder) != holder:
                raise Fault(path, f"{card} is named twice", card)
        if action.kind == "dh":
            if player in waiting:
                raise Fault(path, f"{name} has been dealt these cards already", name)
            waiting[player] = number
            continue
        dealt = waiting.pop(player, None) if action.kind == "au" else None
        if waiting:
            raise Fault(("actions", min(waiting.values())), "what is dealt is told right before an au, and at the end")
        if action.kind == "au":
            _check_dealt(history, number, dealt, owned=player in owners)
            by_table.add(player)
        elif player in by_table:
            raise Fault(path, f"the table lays for {name} for the rest of the hand", "pl")
        streets[player] += 1


def _owners(history: HandHistory) -> set[int]:
    """The players whose own cards the history tells, so that it tells all that they know."""
    last = max((number for number, action in enumerate(history.actions) if action.kind != "dh"), default=0)
    return {
        action.player
        for number, action in enumerate(history.actions)
        if (number < last if action.kind == "dh" else any(action.cards) or action.kept)
    }


def _check_dealt(history: HandHistory, number: int, dealt: int | None, *, owned: bool) -> None:
    """Refuse what the table laid where it is not told out of which cards; `dealt`: the action that tells them."""
    action = history.actions[number]
    name = f"p{action.player + 1}"
    if dealt is None:
        if owned:
            raise Fault(
                ("actions", number), f"before it should be what {name} was dealt: d dh {name} and the cards", "au"
            )
        return
    told = history.actions[dealt].cards
    if None in told:
        raise Fault(("actions", dealt), "what is dealt before an au is known whole, or not told", "??")
    if {*told} != {*action.named}:
        piece = print_known(action.cards) if None in action.cards else action.laid.rows
        raise Fault(("actions", number), f"{name} was dealt {print_known(told)}", piece)


def _deal(history: HandHistory, received: list[list[Card]], others: list[Card]) -> Hand:
    """Begin the hand with a deck in which each player has received these cards."""
    share = len(DECK) // len(history.players)
    deck: list[Card] = []
    for player in history.order:
        missing = share - len(received[player])
        deck += [*received[player], *others[:missing]]
        del others[:missing]

    def in_order(values: Sequence[int]) -> list[int]:
        return [values[player] for player in history.order] if values else []

    return Hand.deal(
        history.rules,
        deck + others,
        in_order(history.seats),
        stacks=in_order(history.starting_stacks),
        fantasyland=in_order(history.in_fantasyland),
        repeats=in_order(history.repeats),
    )


def _act(hand: Hand, history: HandHistory, number: int, action: Action, placement: Placement | None) -> Hand:
    """Carry out one action."""
    path, player = ("actions", number), history.order.index(action.player)
    _check_turn(hand, history, number)
    if placement is None:
        return hand
    if action.kind == "au":
        _check_layout(hand, history, number, placement)
    try:
        return hand.place(player, placement)
    except Refused as refused:
        raise Fault(path, str(refused), action.laid.rows) from None


def _check_layout(hand: Hand, history: HandHistory, number: int, placement: Placement) -> None:
    """Refuse what the table could not have laid for him who acts.

    It keeps a draft where the time has run out, and on later streets there is none. Where nobody told what was dealt,
    any draft may have been kept at first; later the rows are filled as always, with whatever cards.
    """
    path, action = ("actions", number), history.actions[number]
    before = history.actions[:number]
    again = any(earlier.kind == "au" and earlier.player == action.player for earlier in before)
    known = bool(before) and before[-1].kind == "dh"
    player = history.order.index(action.player)
    draft = None
    if action.kept:
        if again:
            raise Fault(path, "the table keeps a draft on the first street it lays, and no later one", action.kept)
        try:
            draft = Placement.parse(action.kept)
            hand.check_draft(player, draft)
        except Refused as refused:
            raise Fault(path, f"the draft {action.kept}: {refused}", action.kept) from None
    lays = hand.automatic(player, draft)
    if hand.rules.auto_layout == "careful":
        # Where the table is careful, it lays as it finds best; only what he had arranged stays where it was.
        kept = draft or Placement()
        if known and any(not {*kept.row(row)} <= {*placement.row(row)} for row in ROWS):
            raise Fault(path, f"the table leaves {kept} where it is", action.laid.rows)
        return
    if known and any({*lays.row(row)} != {*placement.row(row)} for row in ROWS):
        raise Fault(path, f"the table lays {lays} here", action.laid.rows)
    if again and any(len(lays.row(row)) != len(placement.row(row)) for row in ROWS):
        raise Fault(path, "the table fills the bottom, then the middle, then the top", action.laid.rows)


def _check_result(history: HandHistory, hand: Hand) -> None:
    """Refuse points, stacks and rights other than those the hand gives."""
    for name in ("points", "finishing_stacks", "fantasyland"):
        told: tuple[int, ...] = getattr(history, name)
        if told and hand.reckoning is None:
            raise Fault((name,), f"{name}: the hand has not come to its end")
        if not told or hand.reckoning is None:
            continue
        field = "stack" if name == "finishing_stacks" else name
        results = [getattr(hand.reckoning.players[history.order.index(p)], field) for p in range(len(history.players))]
        if None in results:
            raise Fault((name,), f"{name}: there are no starting_stacks")
        wrong = next((i for i, (one, two) in enumerate(zip(told, results, strict=True)) if one != two), None)
        if wrong is not None:
            raise Fault((name, wrong), f"{name}: the hand gives {results}")
