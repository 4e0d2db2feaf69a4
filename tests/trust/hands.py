"""Random hands, and matches of them, each counted a second time: chips are neither made nor lost, whatever is played.

`python -m tests.trust.hands --count 1000000` plays a million; `--seed` names other ones. A failure tells the seed and
the number of its match, by which that one alone is played again: `--seed SEED --only NUMBER`.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import msgspec

from ananas.game.board import ROWS, Board, Placement, Row
from ananas.game.cards import DECK, Card
from ananas.game.hand import Hand
from ananas.game.rules import RULE_SETS, RuleSet
from ananas.game.scoring import Reckoning
from ananas.refused import Refused
from ananas.table.account import account
from ananas.table.clock import deadline
from ananas.table.commands import (
    ChangeRules,
    Command,
    Confirm,
    Connect,
    Disconnect,
    GoOn,
    Leave,
    Ready,
    Return,
    Sit,
    TopUp,
    Waive,
)
from ananas.table.decide import decide
from ananas.table.events import AnyEvent, HandScored, RulesChanged, Sat, ToppedUp
from ananas.table.evolve import evolve
from ananas.table.state import Purse, Seat
from tests.chance import Chance
from tests.game import second_scorer
from tests.game.anything import chance_rules
from tests.table.play import NAMES, Play, _target, rich_deck

EASY: Final = {
    "fantasyland_entry": "22",
    "fantasyland_stay": "top-trips,middle-full-house,middle-quads,bottom-quads",
}
"""Where pairs on top are enough, and more than usual stays, most matches have several hands."""
STACKS: Final = (1, 1, 2, 3, 5, 8, 13, 20, 50, 100)
CAPS: Final = ("both", "loser", "none")
SEED: Final = "hands"
AT_A_TABLE: Final = 32
"""Of so many matches one is an evening at a table, whose hands cost several times as much."""


class Wrong(AssertionError):
    """Something does not add up."""


def expect(what: object, *about: object) -> None:
    """An assertion that stays in whatever way Python is started."""
    if not what:
        raise Wrong(*about)


# -- how it is played


def mixed(chance: Chance) -> tuple[Card, ...]:
    """A deck in any order; once in a while one in which what is alike lies together, for boards that are seldom seen."""
    if chance.below(4) == 0:
        return rich_deck(chance.below(2**32))
    deck = list(DECK)
    for last in range(51, 0, -1):
        chosen = chance.below(last + 1)
        deck[last], deck[chosen] = deck[chosen], deck[last]
    return tuple(deck)


Plans = dict[int, Mapping[Card, Row]]
"""Where who knows all his cards of a hand beforehand means to lay them, by player."""


def planned(hand: Hand, player: int, chance: Chance, plans: Plans) -> Placement:
    """What somebody lays who knows what is to come, or at times what `laid` says."""
    if player not in plans:
        plans[player] = _target(hand, player) if chance.below(2) else {}
    if not (wanted := plans[player]):
        return laid(hand, player, chance)
    dealt, needed = hand.dealt(player), hand.to_lay(player)
    kept = sorted(dealt, key=lambda card: card not in wanted)[:needed]
    rows = [tuple([card for card in kept if wanted.get(card, Row.BOTTOM) is row]) for row in ROWS]
    if any(len(cards) > hand.boards[player].room(row) for row, cards in zip(ROWS, rows, strict=True)):
        return laid(hand, player, chance)
    top, middle, bottom = rows
    return Placement(top, middle, bottom, tuple([card for card in dealt if card not in kept]))


def laid(hand: Hand, player: int, chance: Chance) -> Placement:
    """What somebody lays who looks at his cards and his board, or, at times, anything."""
    return arranged(hand.boards[player], hand.dealt(player), hand.to_lay(player), chance)


def arranged(board: Board, dealt: Sequence[Card], needed: int, chance: Chance) -> Placement:
    """So many of these cards on a board: alike to alike, what is high below; or, at times, anywhere.

    Many boards made so are in order, and some have a pair on top.
    """
    wild = chance.below(8) == 0
    cards = list(dealt)
    ranks: dict[Row, list[int]] = {row: [card.rank for card in board.row(row)] for row in ROWS}
    rows: dict[Row, list[Card]] = {row: [] for row in ROWS}
    if wild:
        cards = chance.shuffled(cards)
    else:
        own = Counter(card.rank for card in cards)
        known = {rank for row in ROWS for rank in ranks[row]}
        cards.sort(key=lambda card: (card.rank in known, own[card.rank], card.rank), reverse=True)
    for card in cards[:needed]:
        free = [row for row in ROWS if len(ranks[row]) < row.size]
        if wild:
            target = chance.pick(free)
        else:
            alike = [row for row in free if card.rank in ranks[row]]
            low = card.rank < 9 and Row.TOP in free and bool(chance.below(2))
            target = alike[0] if alike else Row.TOP if low else free[-1] if chance.below(3) else free[len(free) // 2]
        ranks[target].append(card.rank)
        rows[target].append(card)
    top, middle, bottom = (tuple(rows[row]) for row in ROWS)
    return Placement(top, middle, bottom, tuple(cards[needed:]))


def some_rules(chance: Chance) -> RuleSet:
    """A named set, as it is or with a few points changed, or any rules at all; whatever limits payments."""
    if chance.below(4) == 0:
        return chance_rules(chance)
    rules = chance.pick(list(RULE_SETS.values()))
    values: dict[str, str] = {}
    if chance.below(2):
        values |= EASY
    if chance.below(2):
        values["settlement_cap"] = chance.pick(CAPS)
    return rules.but(values)


# -- a second settlement


def chip_by_chip(
    claims: Sequence[tuple[int, int, int]], stacks: Sequence[int], cap: str
) -> tuple[list[int], list[int]]:
    """Pay every claim with single chips; what moved in each pair from the side of its first, and the stacks then.

    A pair settles when its turn comes, and not at all where one of both has nothing in front of him by then. Chips go
    over one by one until the claim is met, or the loser's last chip is gone, or as many have come to the winner as he
    had in front of him; which of these ends it is a matter of the rules.
    """
    piles = [list(range(stack)) if cap != "none" else [] for stack in stacks]
    owed = list(stacks)
    moved: list[int] = []
    for first, second, points in claims:
        winner, loser = (first, second) if points > 0 else (second, first)
        count = 0
        if cap == "none":
            count = abs(points)
            owed[winner] += count
            owed[loser] -= count
        elif piles[winner] and piles[loser]:
            most = len(piles[winner]) if cap == "both" else sys.maxsize
            while count < abs(points) and piles[loser] and count < most:
                piles[winner].append(piles[loser].pop())
                count += 1
        moved.append(count if winner == first else -count)
    return moved, (owed if cap == "none" else [len(pile) for pile in piles])


def count_again(
    boards: Sequence[str],
    seats: Sequence[int],
    rules: RuleSet,
    stacks: Sequence[int],
    lays: Sequence[tuple[int, int]],
) -> dict[str, Any]:
    """The whole showdown as the second scorer sees it, with payments that the second settlement comes to as well."""
    theirs = second_scorer.reckoned(boards, seats, rules.values, stacks, lays)
    place = {seat: player for player, seat in enumerate(seats)}
    claims = [(place[pair["seats"][0]], place[pair["seats"][1]], pair["claim"]) for pair in theirs["pairs"]]
    moved, after = chip_by_chip(claims, stacks, rules.settlement_cap)
    expect(moved == [pair["transfer"] for pair in theirs["pairs"]], "the two second opinions differ", moved, theirs)
    expect(after == [player["stack"] for player in theirs["players"]], "the two second opinions differ", after, theirs)
    return theirs


def check_reckoning(ours: Reckoning, hand: Hand) -> None:
    """Nothing is made or lost, nobody falls below zero, and a second scorer comes to the very same."""
    stacks, cap = hand.stacks, hand.rules.settlement_cap
    expect(sum(player.points for player in ours.players) == 0, "points are made or lost", ours)
    expect(sum(player.won or 0 for player in ours.players) == 0, "chips are made or lost", ours)
    after = dict(zip(hand.seats, stacks, strict=True))
    points = dict.fromkeys(hand.seats, 0)
    for pair in ours.pairs:
        one, two = pair.seats
        expect(pair.claim * pair.transfer >= 0, "paid the wrong way", pair)
        expect(abs(pair.transfer) <= abs(pair.claim), "more is paid than is owed", pair)
        expect(cap != "none" or pair.transfer == pair.claim, "not all is paid where nothing limits it", pair)
        after[one] += pair.transfer
        after[two] -= pair.transfer
        expect(cap == "none" or min(after[one], after[two]) >= 0, "below zero", pair, after)
        points[one] += pair.claim
        points[two] -= pair.claim
    for player, stack in zip(ours.players, stacks, strict=True):
        expect(player.stack == after[player.seat], "a stack is not what the payments make it", player, after)
        expect(player.won == after[player.seat] - stack, "what was won is not what the stack shows", player)
        expect(player.points == points[player.seat], "points are not the sum of the claims", player, points)
    lays = list(zip(hand.fantasyland, hand.repeats, strict=True))
    theirs = count_again([str(board) for board in hand.boards], hand.seats, hand.rules, stacks, lays)
    expect(ours == msgspec.convert(theirs, Reckoning), "the second scorer comes to something else", ours, theirs)


# -- a match, without a table


def play_match(chance: Chance, seen: Counter[str]) -> int:
    """Play one match, Fantasyland included; gives how many hands it had. Raises `Wrong`."""
    rules = some_rules(chance)
    players = rules.seats[0] + chance.below(rules.seats[1] - rules.seats[0] + 1)
    brought = {seat: chance.pick(STACKS) for seat in chance.shuffled(range(4))[:players]}
    stacks = dict(brought)
    rights: dict[int, tuple[int, int]] = {}
    hands = 0
    while hands < 8:
        seats = [seat for seat in stacks if stacks[seat] > 0 or rules.settlement_cap == "none"]
        if len(seats) < 2 or (hands and not rights.keys() & set(seats)):
            break
        lays = [rights.get(seat, (0, 0)) for seat in seats]
        hand = Hand.deal(
            rules,
            mixed(chance),
            seats,
            stacks=[stacks[seat] for seat in seats],
            fantasyland=[cards for cards, _ in lays],
            repeats=[times for _, times in lays],
        )
        plans: Plans = {}
        while not hand.over:
            player = chance.pick(hand.acting)
            hand = hand.place(player, planned(hand, player, chance, plans))
        ours = hand.reckoning
        assert ours is not None
        check_reckoning(ours, hand)
        hands += 1
        note(seen, hand, ours)
        for result in ours.players:
            stacks[result.seat] = result.stack or 0
        rights = {
            result.seat: (result.fantasyland, times + 1 if cards else 0)
            for result, (cards, times) in zip(ours.players, lays, strict=True)
            if result.fantasyland
        }
        expect(sum(stacks.values()) == sum(brought.values()), "chips are made or lost in a match", stacks, brought)
        for seat, stack in stacks.items():
            if stack == 0 and chance.below(3) == 0:
                more = chance.pick(STACKS)
                stacks[seat], brought[seat] = more, brought[seat] + more
        expect(sum(stacks.values()) == sum(brought.values()), "chips are made or lost by topping up", stacks, brought)
    return hands


def note(seen: Counter[str], hand: Hand, ours: Reckoning) -> None:
    """Remember what kind of hands there have been, so that a test can tell that nothing is missing."""
    seen[f"{hand.rules.base} for {len(hand.seats)}"] += 1
    seen[f"cap {hand.rules.settlement_cap}"] += 1
    seen["fantasyland"] += any(hand.fantasyland)
    seen["again in fantasyland"] += any(hand.repeats)
    seen["dead"] += any(player.foul for player in ours.players)
    seen["live"] += not all(player.foul for player in ours.players)
    seen["skipped"] += any(pair.skipped for pair in ours.pairs)
    seen["cut short"] += any(abs(pair.transfer) < abs(pair.claim) for pair in ours.pairs)
    seen["broke"] += any(player.stack == 0 for player in ours.players)
    seen["below zero"] += any((player.stack or 0) < 0 for player in ours.players)


# -- an evening at a table, through commands and events


class Books:
    """What everybody has at a table, kept by somebody who reads the events and counts every showdown himself."""

    def __init__(self, price: int) -> None:
        self.price = price
        self.stack: Counter[str] = Counter()
        self.brought: Counter[str] = Counter()
        self.money: Counter[str] = Counter()
        self.bot_points: Counter[str] = Counter()
        self.bot_money: Counter[str] = Counter()
        self.seats: dict[int, str] = {}

    def read(self, event: AnyEvent, hand: Hand | None) -> None:
        """An event, and the hand as it was before it."""
        match event:
            case Sat():
                self.seats[event.seat] = event.player
                self._bring(event.player, event.stack)
                expect(self.brought[event.player] == event.brought, "brought otherwise than is told", event)
            case ToppedUp():
                self._bring(self.seats[event.seat], event.stack)
                expect(self.brought[self.seats[event.seat]] == event.brought, "brought otherwise than is told", event)
            case RulesChanged(rules=rules):
                self.price = rules.point_price
            case HandScored():
                assert hand is not None
                self._count(event, hand)
            case _:
                pass

    def _bring(self, player: str, stack: int) -> None:
        self.brought[player] += stack - self.stack[player]
        self.stack[player] = stack

    def _count(self, event: HandScored, hand: Hand) -> None:
        stacks = [self.stack[self.seats[seat]] for seat in event.seats]
        lays = list(zip(hand.fantasyland, hand.repeats, strict=True))
        theirs = count_again([str(board) for board in hand.boards], event.seats, hand.rules, stacks, lays)
        told = (event.points, event.stacks, event.fantasyland)
        own = tuple(tuple(player[what] for player in theirs["players"]) for what in ("points", "stack", "fantasyland"))
        expect(told == own, "the event tells another showdown", event, theirs)
        for pair in theirs["pairs"]:
            one, two = (self.seats[seat] for seat in pair["seats"])
            for player, other, moved in ((one, two, pair["transfer"]), (two, one, -pair["transfer"])):
                self.stack[player] += moved
                self.money[player] += moved * self.price
                if other.startswith("bot:"):
                    self.bot_points[player] += moved
                    self.bot_money[player] += moved * self.price

    def compare(self, play: Play, *, account_too: bool) -> None:
        """The table says of everybody what the books say, and its account can be settled."""
        table = play.table
        sides: dict[str, Seat | Purse] = {seat.player: seat for _, seat in table.seated}
        sides |= table.gone
        for player, side in sides.items():
            books = (self.stack, self.brought, self.money, self.bot_points, self.bot_money)
            told = (side.stack, side.brought, side.money, side.bot_points, side.bot_money)
            expect(told == tuple(book[player] for book in books), "not what the books say", player, told, books)
            expect(table.rules.settlement_cap == "none" or side.stack >= 0, "below zero", player, side.stack)
        expect(sum(side.stack - side.brought for side in sides.values()) == 0, "chips are made or lost", sides)
        expect(sum(side.money for side in sides.values()) == 0, "money is made or lost", sides)
        expect(table.match is None or sum(table.match.won) == 0, "a match makes or loses chips", table.match)
        if account_too:
            check_account(play, self)


def check_account(play: Play, books: Books) -> None:
    """The account tells what the books tell, and after its payments nobody owes anything."""
    told = account(play.table, None)
    names = {NAMES[player]: player for player in books.brought}
    due: list[int] = []
    for line in told.players:
        player = names[line.name]
        expect(line.points == books.stack[player] - books.brought[player], "points of the account", line)
        expect(line.money == books.money[player], "money of the account", line)
        among_people = (
            books.money[player] - books.bot_money[player]
            if told.unit == "money"
            else line.points - books.bot_points[player]
        )
        expect(line.due == (0 if line.bot else among_people), "what is due by the account", line)
        due.append(line.due)
    expect(sum(line.points for line in told.players) == 0, "the account's points do not add up", told)
    expect(sum(line.money for line in told.players) == 0, "the account's money does not add up", told)
    for payment in told.payments:
        expect(payment.amount > 0, "a payment of nothing", payment)
        due[payment.payer] += payment.amount
        due[payment.payee] -= payment.amount
    expect(not any(due), "somebody owes something after all payments", told)


class Evening(Play):
    """A table with its books; every command's events are counted again."""

    def __init__(self, rules: RuleSet, chance: Chance, seen: Counter[str]) -> None:
        self.chance = chance
        self.seen = seen
        self.books = Books(rules.point_price)
        self.hands = 0
        self.plans: Plans = {}
        super().__init__(rules, lot=chance.below(12), decks=lambda _: mixed(chance))

    def ask(self, command: Command) -> tuple[AnyEvent, ...]:
        events = decide(self._table, command, self.now)
        counted = False
        for event in events:
            hand = None if self._table is None else self._table.hand
            self.books.read(event, hand)
            if isinstance(event, HandScored):
                assert hand is not None
                assert hand.reckoning is not None
                self.hands += 1
                self.plans = {}
                note(self.seen, hand, hand.reckoning)
                counted = True
            self._table = evolve(self._table, event)
        self.books.compare(self, account_too=counted)
        return events

    def attempt(self, command: Command) -> bool:
        """Ask for what may well be refused."""
        try:
            self.ask(command)
        except Refused:
            return False
        self.deal_if_owed()
        return True


def play_evening(chance: Chance, seen: Counter[str]) -> int:
    """A few matches at a table: people and a bot come, play, bring chips, leave; gives how many hands there were."""
    rules = some_rules(chance)
    if chance.below(2):
        rules = rules.but({"buy_in": chance.pick(("1-5", "3-8", "10-20")), "point_price": chance.pick(("0", "250"))})
    evening = Evening(rules, chance, seen)
    people = ["ann", "bob", "cyd", "dee"][: 1 + chance.below(evening.table.rules.seats[1])]
    for player in [*people, *(["bot:0"] if len(people) < 2 or chance.below(3) == 0 else [])]:
        bring = chance.pick(rules.buy_in)
        evening.attempt(Sit(player=player, name=NAMES[player], bot=player.startswith("bot:"), buy_in=bring))
    for _ in range(60):
        if evening.hands >= 6:
            break
        _go_on(evening, chance)
        if chance.below(6) == 0:
            _come_or_go(evening, chance)
    return evening.hands


def _go_on(evening: Evening, chance: Chance) -> None:
    """Whatever brings the table nearer to its next showdown."""
    table = evening.table
    if table.laying:
        for _ in range(chance.below(12) + 1):
            if not evening.table.laying:
                break
            hand = evening.hand
            turn = chance.pick(hand.acting)
            player, street = evening.table.players[turn], hand.street_of(turn)
            lays = planned(hand, turn, chance, evening.plans)
            if chance.below(40) == 0 or not evening.attempt(
                Confirm(player=player, hand=evening.table.hands, street=street, placement=lays)
            ):
                evening.time_out()
        return
    for number, seat in table.seated:
        if table.is_broke(seat) and chance.below(4):
            evening.attempt(TopUp(player=seat.player, to=chance.pick(table.rules.buy_in)))
            evening.attempt(TopUp(player=seat.player, to=table.rules.buy_in[0]))
        if table.pausing and number in table.dealt_in:
            if chance.below(12) == 0:
                evening.attempt(Waive(player=seat.player))
            evening.attempt(GoOn(player=seat.player, hand=evening.table.hands))
        elif not table.in_match:
            evening.attempt(Ready(player=seat.player, hand=evening.table.hands + 1, always=chance.below(4) == 0))
    if evening.table is table and deadline(table) is not None:
        evening.plans = {}
        evening.time_out()


def _come_or_go(evening: Evening, chance: Chance) -> None:
    table = evening.table
    player = chance.pick(("ann", "bob", "cyd", "dee"))
    price = {"point_price": chance.pick(("0", "7", "1000"))}
    what: Sequence[Callable[[], Command]] = (
        lambda: Leave(player=player),
        lambda: Sit(player=player, name=NAMES[player], buy_in=chance.pick(table.rules.buy_in)),
        lambda: Sit(player=player, name=NAMES[player]),
        lambda: Return(player=player),
        lambda: Disconnect(player=player),
        lambda: Connect(player=player),
        lambda: ChangeRules(player=table.host, rules=table.rules.but(price)),
        lambda: TopUp(player=player, to=table.rules.buy_in[1]),
    )
    evening.attempt(chance.pick(what)())


# -- many of them


def check(count: int, seed: str = SEED, *, only: int | None = None, at_a_table: int = AT_A_TABLE) -> Counter[str]:
    """Play matches until there have been so many hands; gives of what kinds. Raises `Wrong`, with the seed in it."""
    seen: Counter[str] = Counter()
    number = 0 if only is None else only
    while seen["hands"] < count:
        chance = Chance(f"{seed} {number}")
        evening = number % at_a_table == 0
        try:
            hands = (play_evening if evening else play_match)(chance, seen)
        except Exception as error:
            raise Wrong(f"match {number} of seed {seed!r}: {error}") from error
        seen["hands"] += hands
        seen["at a table"] += hands if evening else 0
        number += 1
        if only is not None:
            break
    return seen


def main() -> None:
    parser = argparse.ArgumentParser(description="Count random hands twice.")
    parser.add_argument("--count", type=int, default=20_000, help="how many hands")
    parser.add_argument("--seed", default=SEED)
    parser.add_argument("--only", type=int, help="the number of the one match to play")
    arguments = parser.parse_args()
    try:
        seen = check(arguments.count, arguments.seed, only=arguments.only)
    except Wrong as error:
        print(error)
        sys.exit(1)
    for what, times in sorted(seen.items()):
        print(f"{times:9} {what}")


if __name__ == "__main__":
    main()
