"""Every refusal the table can give, as a row: its code, a position, what is asked, and the arguments of the reason."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from ananas.game.board import Placement
from ananas.game.cards import DECK
from ananas.game.hand import Hand
from ananas.refused import REASONS, Refused
from ananas.table import decide as decide_module
from ananas.table.commands import (
    Always,
    Break,
    ChangeRules,
    Command,
    CommitSeed,
    Confirm,
    Connect,
    Deal,
    Disconnect,
    GoOn,
    Lag,
    Leave,
    OpenSeed,
    PassHost,
    Publish,
    Ready,
    Remove,
    Resume,
    Return,
    SeatBot,
    Sit,
    SitOut,
    Stall,
    TimeOut,
    TopUp,
    Void,
    Waive,
)
from ananas.table.state import Table
from tests.table.play import NAMES, Play, commit_seed, legal, open_seed, seal
from tests.table.positions import (
    ROOM,
    THREE,
    ann_ready,
    bound,
    busted,
    called,
    called_and_held,
    full,
    held,
    laying,
    leaving,
    on_break,
    pause,
    sat,
    scored,
    sealed,
    seated,
    spent,
    street_two,
)

NOTHING = Placement()
BOB_FIRST = legal(laying().hand, 0)
BOB_SECOND = legal(street_two().hand, 0)
ROW_OF_FOUR = Placement(top=legal(laying().hand, 0).cards[:4], bottom=legal(laying().hand, 0).cards[4:])
FOREIGN = Placement(bottom=tuple(card for card in DECK if card not in BOB_FIRST.cards)[:5])


def bob(street: int, placement: Placement, hand: int = 1) -> Confirm:
    return Confirm(player="bob", hand=hand, street=street, placement=placement)


def sitting_out() -> Play:
    play = seated()
    play.sit("cyd")
    play.ask(SitOut(player="cyd"))
    return play


def gone_on() -> Play:
    play = pause()
    play.go_on("ann")
    return play


def two_rights() -> Play:
    play = sat(ann=50, bob=50, cyd=50)
    play.scored(ann="in", bob="in", cyd="plain")
    return play


def rich() -> Play:
    play = sat(ROOM.but({"fantasyland": "off"}), ann=100, bob=5)
    play.scored(ann="in", bob="dead")
    return play


def with_kiwi() -> Play:
    """Ann, Bob and a bot between matches."""
    play = seated()
    play.sit("bot:0")
    return play


def bob_hosts() -> Play:
    """Bob is the host, and Ann has gone."""
    play = with_kiwi()
    play.leave("ann")
    return play


def bob_away() -> Play:
    play = laying()
    play.disconnect("bob")
    return play


def called_on_break() -> Play:
    return on_break(called)


def too_late() -> Play:
    """The time to open a seed is over, and the alarm has not rung yet."""
    play = bound()
    play.now += 1500
    return play


def ann_opened() -> Play:
    play = bound()
    play.open("ann")
    return play


def commits(player: str, hand: int) -> CommitSeed:
    return commit_seed(bound().table, player, hand)


def opens(player: str, hand: int = 1) -> OpenSeed:
    return open_seed(bound().table, player, hand)


KIWI = SeatBot(player="ann", bot="bot:0", name="Kiwi")
TWO_SEATS = THREE.but({"seats": "2-2"})

REFUSALS: list[tuple[str, Callable[[], Play], Command, dict[str, str | int]]] = [
    ("already-seated", seated, Sit(player="bob", name="Robert"), {"seat": 1}),
    ("already-seated", leaving, Sit(player="bob", name="Bob"), {"seat": 1}),
    ("no-seat", seated, Sit(player="dee", name="Dee", seat=3), {"seat": 3, "last": 2}),
    ("no-seat", seated, Sit(player="dee", name="Dee", seat=-1), {"seat": -1, "last": 2}),
    ("seat-taken", seated, Sit(player="dee", name="Dee", seat=1), {"seat": 1}),
    ("table-full", full, Sit(player="dee", name="Dee"), {"seats": 2}),
    ("name-taken", seated, Sit(player="dee", name="ann"), {"name": "Ann"}),
    ("name-taken", seated, Sit(player="dee", name="А n n."), {"name": "Ann"}),
    ("not-seated", seated, Leave(player="dee"), {}),
    ("not-seated", seated, Return(player="dee"), {}),
    ("not-seated", seated, Ready(player="dee", hand=1, always=False), {}),
    ("not-seated", laying, Confirm(player="dee", hand=1, street=1, placement=NOTHING), {}),
    ("match-running", leaving, Leave(player="bob"), {}),
    ("match-running", laying, Ready(player="cyd", hand=2, always=False), {}),
    ("match-running", called, Ready(player="ann", hand=2, always=False), {}),
    ("match-running", pause, Ready(player="ann", hand=2, always=False), {}),
    ("match-running", pause, Ready(player="dee", hand=2, always=False), {}),
    ("match-running", laying, SitOut(player="ann"), {}),
    ("match-running", called, SitOut(player="ann"), {}),
    ("match-running", pause, SitOut(player="ann"), {}),
    ("match-running", laying, TopUp(player="ann", to=50), {}),
    ("match-running", called, TopUp(player="ann", to=50), {}),
    ("match-running", pause, TopUp(player="ann", to=100), {}),
    ("match-running", busted, TopUp(player="ann", to=100), {}),
    ("sitting-out", sitting_out, SitOut(player="cyd"), {}),
    ("sitting-out", sitting_out, Always(player="cyd", on=True), {}),
    ("not-seated", seated, SitOut(player="dee"), {}),
    ("not-seated", seated, TopUp(player="dee", to=50), {}),
    ("not-seated", pause, GoOn(player="eve", hand=1), {}),
    ("not-seated", pause, Waive(player="eve"), {}),
    ("not-seated", seated, Connect(player="dee"), {}),
    ("not-seated", seated, Disconnect(player="dee"), {}),
    ("bad-buy-in", seated, Sit(player="dee", name="Dee", buy_in=49), {"chips": 49, "least": 50, "most": 100}),
    ("bad-buy-in", seated, Sit(player="dee", name="Dee", buy_in=101), {"chips": 101, "least": 50, "most": 100}),
    ("bad-buy-in", seated, TopUp(player="ann", to=50), {"chips": 50, "least": 51, "most": 100}),
    ("bad-buy-in", busted, TopUp(player="bob", to=6), {"chips": 6, "least": 5, "most": 5}),
    ("enough-chips", rich, TopUp(player="ann", to=100), {"chips": 105}),
    ("broke", rich, Ready(player="bob", hand=2, always=False), {"least": 5}),
    ("turn-over", pause, GoOn(player="ann", hand=2), {"hand": 2, "street": 0}),
    ("turn-over", pause, GoOn(player="dee", hand=1), {"hand": 1, "street": 0}),
    ("turn-over", laying, GoOn(player="ann", hand=1), {"hand": 1, "street": 0}),
    ("turn-over", scored, GoOn(player="ann", hand=1), {"hand": 1, "street": 0}),
    ("already-ready", gone_on, GoOn(player="ann", hand=1), {}),
    ("nothing-to-waive", pause, Waive(player="bob"), {}),
    ("nothing-to-waive", scored, Waive(player="ann"), {}),
    ("nothing-to-waive", two_rights, Waive(player="ann"), {}),
    ("no-hand", pause, Deal(deck=DECK, lot=0), {}),
    ("turn-over", laying, Ready(player="cyd", hand=1, always=False), {"hand": 1, "street": 0}),
    ("turn-over", scored, Ready(player="ann", hand=1, always=False), {"hand": 1, "street": 0}),
    ("turn-over", seated, Ready(player="ann", hand=2, always=False), {"hand": 2, "street": 0}),
    ("already-ready", ann_ready, Ready(player="ann", hand=1, always=True), {}),
    ("nothing-to-undo", seated, Return(player="ann"), {}),
    ("no-hand", seated, bob(1, NOTHING), {}),
    ("no-hand", called, bob(1, NOTHING), {}),
    ("no-hand", scored, bob(1, NOTHING, hand=2), {}),
    ("no-hand", seated, Deal(deck=DECK, lot=0), {}),
    ("no-hand", scored, Deal(deck=DECK, lot=0), {}),
    ("hand-running", laying, Deal(deck=DECK, lot=0), {}),
    ("turn-over", scored, bob(5, NOTHING), {"hand": 1, "street": 5}),
    ("turn-over", laying, bob(1, BOB_FIRST, hand=2), {"hand": 2, "street": 1}),
    ("turn-over", street_two, bob(1, BOB_FIRST), {"hand": 1, "street": 1}),
    ("turn-over", laying, bob(2, BOB_FIRST), {"hand": 1, "street": 2}),
    ("turn-over", spent, bob(1, BOB_FIRST), {"hand": 1, "street": 1}),
    ("not-your-turn", laying, Confirm(player="ann", hand=1, street=1, placement=BOB_FIRST), {"turn": "1"}),
    ("not-your-turn", laying, Confirm(player="cyd", hand=1, street=1, placement=BOB_FIRST), {"turn": "1"}),
    ("cards-not-yours", laying, bob(1, FOREIGN), {}),
    ("wrong-count", laying, bob(1, NOTHING), {"placed": 0, "needed": 5}),
    ("row-full", laying, bob(1, ROW_OF_FOUR), {"row": "top", "room": 3}),
    ("not-host", seated, Break(player="bob", on=True), {}),
    ("not-host", seated, Break(player="bob", on=False), {}),
    ("not-host", on_break, Break(player="bob", on=False), {}),
    ("not-host", on_break, Break(player="dee", on=False), {}),
    ("not-host", bob_away, Remove(player="cyd", seat=1), {}),
    ("not-host", seated, SeatBot(player="bob", bot="bot:0", name="Kiwi"), {}),
    ("not-host", seated, PassHost(player="bob", seat=1), {}),
    ("not-host", seated, ChangeRules(player="bob", rules=ROOM), {}),
    ("not-host", laying, ChangeRules(player="bob", rules=ROOM), {}),
    ("not-host", seated, Publish(player="bob", on=True), {}),
    ("not-host", seated, Publish(player="bob", on=False), {}),
    ("not-host", bob_hosts, Publish(player="ann", on=True), {}),
    ("on-break", on_break, bob(1, BOB_FIRST), {}),
    ("on-break", on_break, bob(1, NOTHING), {}),
    ("on-break", called_on_break, Deal(deck=DECK, lot=0), {}),
    ("not-your-turn", on_break, Confirm(player="ann", hand=1, street=1, placement=BOB_FIRST), {"turn": "1"}),
    ("turn-over", on_break, bob(2, BOB_FIRST), {"hand": 1, "street": 2}),
    ("held", held, bob(1, BOB_FIRST), {}),
    ("held", called_and_held, Deal(deck=DECK, lot=0), {}),
    ("not-your-turn", held, Confirm(player="ann", hand=1, street=1, placement=BOB_FIRST), {"turn": "1"}),
    ("not-seated", sealed, commits("dee", 1), {}),
    ("no-seed", seated, commits("ann", 1), {"hand": 1}),
    ("no-seed", sealed, commits("ann", 1), {"hand": 1}),
    ("no-seed", sealed, commits("bob", 2), {"hand": 2}),
    ("no-seed", sealed, commits("bob", 0), {"hand": 0}),
    ("no-seed", bound, commits("ann", 1), {"hand": 1}),
    ("no-seed", laying, commits("cyd", 2), {"hand": 2}),
    ("not-seated", bound, opens("dee"), {}),
    ("no-seed", sealed, opens("ann"), {"hand": 1}),
    ("no-seed", called, opens("ann"), {"hand": 1}),
    ("no-seed", laying, opens("ann"), {"hand": 1}),
    ("no-seed", bound, opens("ann", 2), {"hand": 2}),
    ("no-seed", ann_opened, opens("ann"), {"hand": 1}),
    ("no-seed", too_late, opens("ann"), {"hand": 1}),
    ("other-seed", bound, replace(opens("ann"), seed=opens("bob").seed), {}),
    ("no-hand", seated, Void(reason="fault"), {}),
    ("no-hand", pause, Void(reason="outage"), {}),
    ("not-seated", seated, Lag(player="dee", ms=5), {}),
    ("not-away", seated, Remove(player="ann", seat=1), {"name": "Bob"}),
    ("not-away", laying, Remove(player="ann", seat=2), {"name": "Cyd"}),
    ("not-away", seated, Remove(player="ann", seat=0), {"name": "Ann"}),
    ("no-seat", seated, Remove(player="ann", seat=3), {"seat": 3, "last": 2}),
    ("no-seat", seated, Remove(player="ann", seat=-1), {"seat": -1, "last": 2}),
    ("table-full", full, KIWI, {"seats": 2}),
    ("seat-taken", seated, replace(KIWI, seat=0), {"seat": 0}),
    ("no-seat", seated, replace(KIWI, seat=3), {"seat": 3, "last": 2}),
    ("already-seated", with_kiwi, KIWI, {"seat": 2}),
    ("name-taken", seated, replace(KIWI, name="ANN"), {"name": "Ann"}),
    ("nobody-there", seated, PassHost(player="ann", seat=2), {"seat": 2}),
    ("nobody-there", with_kiwi, PassHost(player="ann", seat=2), {"seat": 2}),
    ("no-seat", seated, PassHost(player="ann", seat=3), {"seat": 3, "last": 2}),
    ("match-running", laying, ChangeRules(player="ann", rules=ROOM), {}),
    ("match-running", called, ChangeRules(player="ann", rules=ROOM), {}),
    ("match-running", pause, ChangeRules(player="ann", rules=THREE), {}),
    ("bad-rule", with_kiwi, ChangeRules(player="ann", rules=TWO_SEATS), {"name": "seats", "value": "2-2"}),
    ("bad-rule", bob_hosts, ChangeRules(player="bob", rules=TWO_SEATS), {"name": "seats", "value": "2-2"}),
    ("not-discarded", street_two, bob(2, replace(BOB_SECOND, discards=())), {}),
]


@pytest.mark.parametrize(("code", "position", "command", "args"), REFUSALS)
def test_what_is_refused_changes_nothing(
    code: str, position: Callable[[], Play], command: Command, args: dict[str, str | int]
) -> None:
    play = position()
    before, log = play.table, list(play.log)
    with pytest.raises(Refused) as refused:
        play.ask(command)  # compares the bytes of the state, before and after
    assert refused.value.code == code
    assert refused.value.args_by_name.items() >= args.items()
    assert (play.table, play.log) == (before, log)


def test_every_refusal_the_table_can_give_is_tried() -> None:
    source = inspect.getsource(decide_module) + inspect.getsource(Hand.place) + inspect.getsource(Hand._check)
    raised = re.findall(r"Refused\([^)]*", source)
    given = set(REASONS) & {code for call in raised for code in re.findall(r'"([a-z-]+)"', call)} | {"row-full"}
    assert given - {"no-table"} == {code for code, *_ in REFUSALS}


# -- who may ask what, and when


MOMENTS: dict[str, Callable[[], Play]] = {
    "waiting": seated,
    "called": called,
    "laying": laying,
    "pause": pause,
    "chips": busted,
    "over": scored,
}
ASKERS = ("acts", "plays", "waits", "watches")

# For each command: at which of the moments (by their first letters) it is carried out for whom. Who acts and who plays
# are dealt in; who waits has a seat beside them; who watches has none. Anything else is refused.
MATRIX = """
            acts      plays     waits     watches
Sit         -         -         -         wclpo
Leave       wclpbo    wclpbo    wlpo      -
SitOut      wo        wo        wlpo      -
Ready       wo        wo        wo        -
Always      wclpbo    wclpbo    wlpo      -
Return      -         -         -         -
TopUp       wo        wob       wlpo      -
GoOn        pb        pb        -         -
Waive       pb        -         -         -
Confirm     l         -         -         -
Connect     wclpbo    wclpbo    wlpo      -
Disconnect  wclpbo    wclpbo    wlpo      -
CommitSeed  wpbo      wpbo      wpo       -
OpenSeed    c         c         -         -
Lag         wclpbo    wclpbo    wlpo      -
"""
LETTERS = {"waiting": "w", "called": "c", "laying": "l", "pause": "p", "chips": "b", "over": "o"}


def asked(kind: str, player: str, play: Play) -> Command:
    """The command of this kind that has the best chance."""
    table = play.table
    seat = next((seat for _, seat in table.seated if seat.player == player), None)
    match kind:
        case "Sit":
            return Sit(player=player, name=NAMES[player])
        case "Ready":
            return Ready(player=player, hand=table.hands + 1, always=False)
        case "Always":
            return Always(player=player, on=True)
        case "TopUp":
            return TopUp(player=player, to=table.rules.buy_in[bool(seat and seat.stack)])
        case "GoOn":
            return GoOn(player=player, hand=table.hands)
        case "CommitSeed":
            return commit_seed(table, player)
        case "OpenSeed":
            return open_seed(table, player)
        case "Lag":
            return Lag(player=player, ms=300)
        case "Confirm":
            laying = table.laying and play.hand.acting
            placement = legal(play.hand, 0) if laying else NOTHING
            return Confirm(player=player, hand=table.hands, street=1, placement=placement)
        case _:
            return {
                "Leave": Leave,
                "SitOut": SitOut,
                "Return": Return,
                "Waive": Waive,
                "Connect": Connect,
                "Disconnect": Disconnect,
            }[kind](player=player)


def players(play: Play) -> dict[str, str | None]:
    """Who stands for which kind of asker at this moment."""
    table = play.table
    dealt_in = [seat.player for number, seat in table.seated if number in table.dealt_in]
    others = [seat.player for number, seat in table.seated if number not in table.dealt_in]
    acts = play.acting[0] if table.laying else "ann"
    plays = next((player for player in dealt_in or others if player != acts), None)
    waits = next((player for player in others if player not in {acts, plays}), None)
    return {"acts": acts, "plays": plays, "waits": waits, "watches": "eve"}


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("moment", MOMENTS)
def test_who_may_ask_what_and_when(moment: str, stopped: bool) -> None:
    """While the game is stopped everybody may do what he may at any other time, but lay cards."""
    letter = LETTERS[moment]
    for line in MATRIX.strip().splitlines()[1:]:
        kind, *columns = line.split()
        for asker, letters in zip(ASKERS, columns, strict=True):
            play = bound() if (kind, moment) == ("OpenSeed", "called") else MOMENTS[moment]()
            if kind == "CommitSeed":
                play.seal()
            player = players(play)[asker]
            if player is None:
                continue
            if (kind, asker) == ("Sit", "watches") and (bench := players(play)["waits"]):
                play.leave(bench)  # so that a seat is free
            if stopped:
                play.stop()
            before = list(play.log)
            try:
                play.ask(asked(kind, player, play))
                done = True
            except Refused:
                done = False
                assert play.log == before
            expected = letter in letters and not (stopped and kind == "Confirm")
            assert done == expected, f"{kind} of who {asker}, {moment}"


# For each command of the host: at which moments it is carried out for him, whether he sits or not. Nobody else's is.
HOST_MATRIX = """
Break       wclpbo
Remove      wclpbo
SeatBot     wclpo
PassHost    wclpbo
ChangeRules wo
Publish     wclpbo
"""


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("host", ["ann", "eve"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_what_the_host_may_ask_and_when(moment: str, host: str, stopped: bool) -> None:
    for line in HOST_MATRIX.strip().splitlines():
        kind, letters = line.split()
        play = MOMENTS[moment]()
        free = players(play)["waits"]
        if kind == "SeatBot" and free and None not in play.table.seats:
            play.leave(free)
        play.disconnect("bob")
        if stopped:
            play.stop()
        table = replace(play.table, host=host)
        for player in ("ann", "bob", "cyd", "eve"):
            why = refusal(table, hosted(kind, player, play), play.now)
            may_go_on = host == "eve" and stopped and kind == "Break" and table.seat_of(player) is not None
            done = may_go_on or (player == host and LETTERS[moment] in letters)
            assert (why is None) == done, f"{kind} of {player}, {moment}"
            assert (why == "not-host") == (player != host and not may_go_on)


def refusal(table: Table, command: Command, now: int) -> str | None:
    """Why a command is refused; null where it is not."""
    try:
        decide_module.decide(table, command, now)
    except Refused as refused:
        return refused.code
    return None


def hosted(kind: str, player: str, play: Play) -> Command:
    """The command of this kind that has the best chance, if it is the host who asks; Bob is away."""
    match kind:
        case "Break":
            return Break(player=player, on=not play.table.on_break)
        case "Remove":
            return Remove(player=player, seat=1)
        case "SeatBot":
            return SeatBot(player=player, bot="bot:0", name="Kiwi")
        case "PassHost":
            return PassHost(player=player, seat=1)
        case "ChangeRules":
            return ChangeRules(player=player, rules=play.table.rules.but({"point_price": "5"}))
        case _:
            return Publish(player=player, on=True)


def test_every_command_of_a_player_stands_in_the_matrix() -> None:
    kinds = {kind for kind in Command.__subclasses__() if "player" in kind.__struct_fields__}
    lines = MATRIX.strip().splitlines()[1:] + HOST_MATRIX.strip().splitlines()
    assert {line.split()[0] for line in lines} == {kind.__name__ for kind in kinds}
    of_the_room = {"Open", "Deal", "TimeOut", "Resume", "Seal", "Stall", "Void"}
    assert {kind.__name__ for kind in set(Command.__subclasses__()) - kinds} == of_the_room


@pytest.mark.parametrize("moment", MOMENTS)
def test_what_the_room_asks_is_never_refused_but_a_deal_that_is_not_owed_and_a_void_of_nothing(moment: str) -> None:
    play = MOMENTS[moment]()
    assert play.ask(TimeOut()) == ()
    play.ask(Resume(lost_ms=5))
    assert bool(play.ask(seal(play.table))) == (moment != "laying")
    assert play.ask(seal(play.table)) == ()
    assert bool(play.ask(Stall(lost_ms=1500))) == (moment == "laying")
    if moment not in {"called", "laying"}:
        with pytest.raises(Refused):
            play.void()
    if moment != "called":
        with pytest.raises(Refused):
            play.ask(Deal(deck=DECK, lot=0))
    play.stop()
    assert play.ask(TimeOut()) == ()
    play.ask(Resume(lost_ms=5))
    assert play.ask(Stall(lost_ms=1500)) == ()
    if moment in {"called", "laying"}:
        assert play.void()
