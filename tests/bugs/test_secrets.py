"""Faults by which secrets got out of other rooms: each has its number in the list, and is tried here."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, cast

import msgspec
import pytest
from msgspec.structs import replace

import ananas.table.decide
from ananas import protocol
from ananas.game.board import ROWS
from ananas.game.rules import RULE_SETS
from ananas.protocol import View, encode
from ananas.server.drafts import Drafts
from ananas.server.guests import add_guest, hash_token
from ananas.server.histories import finished_hands, one_hand
from ananas.server.replays import replay
from ananas.server.room import Room
from ananas.table.events import HandScored
from ananas.table.state import Table
from ananas.table.view import Live as LiveView
from ananas.table.view import TableView, view_table
from tests.bugs.places import ROOM, THREE, TWO, acts, lay_on, settle
from tests.chance import Chance
from tests.server.house import House
from tests.server.live import Ear, Live, in_a_room
from tests.table.play import Play
from tests.table.session import Step
from tests.test_secrets import Leak, Show, cards_in_others_hands, discards_after_the_showdown, hold, known_cards


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "room.sqlite"


# -- what is named in what was sent


def cards_in(message: Any) -> set[str]:  # noqa: ANN401
    """Every card that is named anywhere in a message, alone or in a row."""
    match message:
        case str() if re.fullmatch("([2-9TJQKA][cdhs]|[/x -])+", message):
            return set(re.findall("[2-9TJQKA][cdhs]", message))
        case dict():
            return {card for part in message.values() for card in cards_in(part)}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
        case list():
            return {card for part in message for card in cards_in(part)}  # pyright: ignore[reportUnknownVariableType,reportUnknownArgumentType]
        case _:
            return set()


def told(message: dict[str, Any]) -> set[str]:
    """The cards of a view: those of its hand, as the rules name cards as well."""
    return cards_in(message["view"]["hand"]) if message["type"] == "view" else cards_in(message)


# -- B047, B048, B049: who is who


def test_bug_B047_with_another_ones_or_an_old_cookie_one_sees_what_anybody_sees(shared: House) -> None:
    """Sockets with no cookie, with a wrong one and with one that nobody has any more; then the real players come."""

    async def body() -> None:
        cookies = [shared.guest("Ann"), shared.guest("Bob")]
        table = shared.table(cookies[0])
        wrong = cookies[0][:-1] + ("A" if cookies[0][-1] != "A" else "B")
        lookers = [await shared.come(cookie, table) for cookie in (None, wrong, "x" * 43, cookies[0].upper())]
        players = [await shared.come(cookie, table) for cookie in cookies]
        for player in players:
            await player.kept("sit")
        for player in players:
            await player.kept("ready", hand=1)
        for player in players:
            await player.see(lambda view: view["hand"] is not None)
        for _ in range(3):
            version = await next(player for player in players if player.acts).lay()
            for each in (*players, *lookers):
                await each.catch_up(version)
        for looker in lookers:
            assert looker.view == lookers[0].view
            assert looker.view["you"] is None
            assert looker.view["may"] == []
            assert await looker.refused("confirm", hand=1, street=2, placement="-/-/-") == "not-a-guest"
        mine = next(player for player in players if player.acts)
        held = {card for side in mine.view["hand"]["players"] for card in side["dealt"]}
        assert len(held) == 3
        for looker in lookers:
            assert not [card for card in held for frame in looker.frames if f'"{card}"' in frame]
        for each in (*players, *lookers):
            await each.close()

    asyncio.run(body())


def on_anothers_turn(path: Path) -> None:
    """In Ann's or Bob's turn everybody else tries every command that a table knows: his seat is not moved."""

    async def body(live: Live) -> None:
        ears = await live.playing(replace(ROOM, seats=(2, 3)), "ann", "bob")
        room, owner = ears[0].room, acts(ears)
        strangers = [next(ear for ear in ears if ear is not owner), await live.come(room, "eve"), Ear(None, room)]
        room.join(strangers[-1])
        hand, seat = room.table.hand, room.table.seat_of(str(owner.player))
        assert hand is not None
        assert seat is not None
        place = hand.seats.index(seat)
        laid = str(hand.automatic(place, None))
        asked: list[tuple[Callable[..., Any], dict[str, object]]] = [
            (protocol.Confirm, {"hand": 1, "street": 1, "placement": laid}),
            (protocol.Leave, {}),
            (protocol.SitOut, {}),
            (protocol.Return, {}),
            (protocol.Ready, {"hand": 2}),
            (protocol.Always, {"on": True}),
            (protocol.TopUp, {"to": 100}),
            (protocol.GoOn, {"hand": 1}),
            (protocol.Waive, {}),
            (protocol.Sit, {"seat": seat}),
            (protocol.Remove, {"seat": seat}),
        ]
        before = room.table.seats[seat]
        for ear in strangers:
            for kind, fields in asked:
                await ear.ask(kind, **cast("dict[str, Any]", fields))
                room.ask(ear, protocol.Draft(hand=1, street=1, placement=laid))
                await settle(room)
                assert room.table.seats[seat] == before, f"{ear.player} moves a seat that is not his: {kind.__name__}"
                assert room.table.hand is not None
                assert room.table.hand.placements[place] == ()
                assert seat not in room._live().drafts
        assert (await owner.lay())["type"] == "kept"

    in_a_room(path, body)


def test_bug_B048_nobody_but_its_owner_moves_a_seat(path: Path) -> None:
    on_anothers_turn(path)


def test_bug_B048_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table that asks only whose turn it is, not who lays."""
    sound = ananas.table.decide._confirm

    def for_whom_it_is(story: Any, command: Any) -> None:  # noqa: ANN401
        hand = story.table.hand
        sound(story, replace(command, player=story.table.players[hand.acting[0]]))

    monkeypatch.setattr(ananas.table.decide, "_confirm", for_whom_it_is)
    with pytest.raises(AssertionError):
        on_anothers_turn(path)


def test_bug_B049_who_one_is_stands_in_no_address_and_in_no_log(shared: House) -> None:
    cookies = [shared.guest("Ann") for _ in range(50)]
    assert len(set(cookies)) == 50
    assert all(len(cookie) >= 43 and re.fullmatch("[A-Za-z0-9_-]+", cookie) for cookie in cookies), "256 bits each"
    answer = shared.call("POST", "/api/guests", {"name": "Ann"})
    given = answer.headers["set-cookie"].lower()
    assert "httponly" in given
    assert "samesite" in given
    token = answer.headers["set-cookie"].partition("=")[2].partition(";")[0]
    table = shared.table(token)
    seen = [
        shared.call("GET", where, cookie=token) for where in (f"/t/{table}", f"/api/tables/{table}", "/api/guests/me")
    ]
    for found in (answer, *seen):
        assert token.encode() not in found.body
        assert token not in found.headers.get("location", "")
        assert found.headers["referrer-policy"] in {"same-origin", "no-referrer"}
    assert token not in shared.log.read_text()

    async def body() -> None:
        """Whoever has the link of a table looks on, and no more."""
        looker = await shared.come(None, table)
        assert looker.view["you"] is None
        assert looker.view["may"] == []
        await looker.close()

    asyncio.run(body())


def written(path: Path) -> bytes:
    """All that a database has written."""
    return path.read_bytes() + path.with_name(path.name + "-wal").read_bytes()


def keeps_no_token(path: Path, hashing: Callable[[str], bytes]) -> None:
    async def body(live: Live) -> None:
        _, token = await add_guest(live.store, "Ann", 0)
        await live.store.alive(1)
        assert token.encode() not in written(path), "the database knows by what somebody is known"
        assert await live.store.guest(hashing(token)) is not None

    in_a_room(path, body)


def test_bug_B049_a_stolen_database_lets_nobody_in(path: Path) -> None:
    keeps_no_token(path, hash_token)


def test_bug_B049_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def as_it_is(token: str) -> bytes:
        return token.encode()

    monkeypatch.setattr("ananas.server.guests.hash_token", as_it_is)
    with pytest.raises(AssertionError):
        keeps_no_token(path, as_it_is)


# -- B053, B054: what a frame holds, the first and every other


def frames_hold_no_more(path: Path, join: Callable[[Room, Ear], None] = Room.join) -> None:
    """A hand with three viewers who call again before every turn: every card in every frame is one they may know."""

    async def body(live: Live) -> None:
        ears = await live.playing(TWO, "ann", "bob")
        room = ears[0].room
        ears.append(await live.come(room, "eve"))
        ears.append(Ear(None, room))
        while True:
            for number, ear in enumerate(ears):
                room.leave(ear)
                ears[number] = back = Ear(ear.player, room, window=ear.window)
                join(room, back)
                hand = room.table.hand
                assert hand is not None
                seat = None if back.player is None else room.table.seat_of(back.player)
                known = {str(card) for card in known_cards(hand, None if seat is None else hand.seats.index(seat))}
                for message in back.heard:
                    assert told(message) <= known, f"{back.player} is sent {told(message) - known}"
            if not room.table.laying:
                break
            await lay_on(ears[:2])

    in_a_room(path, body)


def test_bug_B047_B053_B054_no_frame_holds_a_card_that_its_reader_may_not_know(path: Path) -> None:
    frames_hold_no_more(path)


def sends_the_deck(room: Room, ear: Ear) -> None:
    """What the table began with is sent along, as if to undo something."""
    Room.join(room, ear)
    assert room.table.hand is not None
    ear.answer(msgspec.json.encode({"type": "undo", "before": {"deck": list(room.table.hand.deck)}}))


def shows_everybody(room: Room, ear: Ear) -> None:
    """The first frame is the first player's, whoever calls."""
    view = view_table(room.table, room.table.players[0], room._now, LiveView())
    ear.offer(encode(View(version=room.version, view=view)))
    Room.join(room, ear)


@pytest.mark.parametrize("fault", [sends_the_deck, shows_everybody])
def test_bug_B047_B053_B054_planted(path: Path, fault: Callable[[Room, Ear], None]) -> None:
    with pytest.raises(AssertionError):
        frames_hold_no_more(path, fault)


def test_bug_B053_what_a_page_is_loaded_with_is_the_same_whatever_the_deck(shared: House) -> None:
    """The card of a table and its page, fetched in mid-hand, name no card and are no longer for one hand than another."""

    async def body() -> None:
        bodies = set[bytes]()
        for _ in range(2):
            players = await shared.playing()
            await next(player for player in players if player.acts).lay()
            table = players[0].table
            found = [shared.call("GET", f"/api/tables/{table}", cookie=cookie) for cookie in (players[0].cookie, None)]
            assert all(not cards_in(answer.json) for answer in found)
            bodies |= {answer.body.replace(table.encode(), b"TABLE") for answer in found[1:]}
            for player in players:
                await player.close()
        assert len(bodies) == 1

    asyncio.run(body())


# -- B057: what is arranged is nobody else's business


def arranges(path: Path) -> None:
    """On every street from the second on, whoever acts arranges his cards to and fro: nobody else hears a thing."""

    async def body(live: Live) -> None:
        ears = await live.playing(replace(TWO, seats=(2, 3)), "ann", "bob")
        room = ears[0].room
        ears.append(await live.come(room, "eve"))
        streets = set[int]()
        while room.table.laying:
            mine = acts(ears)
            hand, seat = room.table.hand, room.table.seat_of(str(mine.player))
            assert hand is not None
            assert seat is not None
            place = hand.seats.index(seat)
            street = hand.street_of(place)
            others = [ear for ear in ears if ear is not mine]
            before = [len(ear.heard) for ear in others]
            if street > 1:
                streets.add(street)
                card = hand.dealt(place)[0]
                row = next(row for row in reversed(ROWS) if hand.boards[place].room(row))
                lies = "/".join(str(card) if each is row else "-" for each in ROWS)
                for placement in (lies, "-/-/-", lies):
                    room.ask(mine, protocol.Draft(hand=1, street=street, placement=placement))
                    await settle(room)
                assert next(side for side in mine.view["hand"]["players"] if side["seat"] == seat)["draft"]
                assert [len(ear.heard) for ear in others] == before, "what he arranges makes a frame for others"
            await lay_on(ears)
        assert streets == {2, 3, 4, 5}

    in_a_room(path, body)


def test_bug_B057_what_is_arranged_makes_no_frame_for_others(path: Path) -> None:
    arranges(path)


def test_bug_B057_planted(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ananas.server.drafts.Drafts.put", _put_and_tell(Drafts.put))
    with pytest.raises(AssertionError):
        arranges(path)


def _put_and_tell(sound: Callable[..., bool]) -> Callable[..., bool]:
    def put(*args: Any) -> bool:  # noqa: ANN401
        sound(*args)
        return True

    return put


# -- B058, B060: what stays hidden when all is over


def ended_early() -> Iterator[Play]:
    """Hands that end before everybody has laid his cards himself: all have left; all are gone; somebody cannot pay."""
    for leave in (True, False):
        play = Play(THREE, "ann bob cyd")
        play.ready("ann", "bob", "cyd")
        play.confirm()
        play.disconnect("ann", "bob", "cyd")
        if leave:
            play.leave("ann", "bob", "cyd")
        while play.table.laying:
            play.time_out()
        yield play
    play = Play(ROOM.but({"buy_in": "1-5", "fantasyland": "off"}))
    for player in ("ann", "bob"):
        play.sit(player, buy_in=1)
    play.scored(ann="dead", bob="stays")
    yield play


def hides(play: Play, viewer: str | None, show: Show = view_table) -> None:
    """What was thrown away by others, or never dealt, is not in what is shown, listed, replayed and downloaded."""
    hand = play.table.hand
    assert hand is not None
    own = play.table.players.index(viewer) if viewer in play.table.players else None
    seated = viewer is not None and play.table.seat_of(viewer) is not None
    known = {str(card) for card in known_cards(hand, own)}
    visible = known if seated else {str(card) for card in known_cards(hand, None)}
    view = json.loads(encode(View(version=1, view=show(play.table, viewer, play.now, LiveView()))))
    assert told(view) <= visible
    found = next(finished_hands(play.log, play.table.hands))
    steps = json.loads(msgspec.json.encode(replay(found, viewer, table="t1", last=1)))["steps"]
    assert cards_in(steps) <= known
    cards = written_cards(one_hand(found, viewer))
    assert cards
    assert cards <= known


def written_cards(text: str) -> set[str]:
    """The cards of the moves in the text of a hand."""
    moves = [line.split(" pl ")[1] for line in text.splitlines() if " pl " in line]
    assert moves
    return {card for move in moves for card in re.findall("[2-9TJQKA][cdhs]", move)}


@pytest.mark.parametrize("viewer", ["ann", "bob", "cyd", "eve", None])
def test_bug_B058_a_hand_that_ended_early_shows_no_more_than_one_that_did_not(viewer: str | None) -> None:
    for play in ended_early():
        hides(play, viewer)


@pytest.mark.parametrize("viewer", ["ann", "bob", "cyd", "eve", None])
def test_bug_B060_what_was_thrown_away_is_its_owners_alone_in_all_that_is_shown_later(viewer: str | None) -> None:
    play = Play(THREE, "ann bob cyd")
    play.ready("ann", "bob", "cyd")
    play.finish()
    hides(play, viewer)
    if viewer in play.table.players:  # he has his own
        hand = play.table.hand
        assert hand is not None
        mine = hand.placements[play.table.players.index(viewer)]
        thrown = {str(card) for placement in mine for card in placement.discards}
        assert len(thrown) == 4
        view = json.loads(encode(View(version=1, view=view_table(play.table, viewer, play.now, LiveView()))))
        assert thrown <= told(view)


def voided_in_the_middle(show: Show) -> None:
    """A hand that did not count is not shown at all: what lies on the table is the hand before, as it was shown then."""
    for turn in range(0, 10, 3):
        play = Play(THREE, "ann bob")
        play.ready("ann", "bob")
        play.finish()
        play.now += 10_000
        before = {viewer: told(seen(play, viewer, view_table)) for viewer in ("ann", "bob", None)}
        play.ready("ann", "bob")
        for _ in range(turn):
            play.confirm()
        play.void()
        for viewer, cards in before.items():
            assert told(seen(play, viewer, show)) == cards


def seen(play: Play, viewer: str | None, show: Show) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(encode(View(version=1, view=show(play.table, viewer, play.now, LiveView()))))
    return found


def test_bug_B058_a_hand_that_did_not_count_is_not_shown() -> None:
    voided_in_the_middle(view_table)


def test_bug_B058_planted() -> None:
    with pytest.raises(AssertionError):
        voided_in_the_middle(discards_after_the_showdown)


def test_bug_B058_B060_planted() -> None:
    for play in ended_early():
        with pytest.raises(AssertionError):
            hides(play, None, discards_after_the_showdown)


# -- B059: not in the first hand only


SEATS_CHANGE: Final = 5
"""After so many hands somebody leaves, and somebody else takes his seat."""


def fifty_hands(show: Show, hands: int, seed: int) -> None:
    """Many hands at one table, seats changing between them; the twin world looks the same to everybody all the time."""
    steps = long_session(hands, seed)
    assert sum(isinstance(event, HandScored) for step in steps for event in step.events) >= hands
    for viewer in ("ann", "bob", "cyd", None):
        hold(steps, viewer, seed, show)


def long_session(hands: int, seed: int) -> list[Step]:
    from tests.table import session as drawing

    chance = Chance(f"B059 {seed}")
    numbers = [
        32 * chance.below(30_000) + 20 if chance.below(25) else 32 * chance.below(30_000) + 5 + chance.below(2)
        for _ in range(hands * 30)
    ]
    steps = drawing.session(RULE_SETS["room"].but({"fantasyland": "off", "buy_in": "50-100"}), numbers)
    end = next((at for at, step in enumerate(steps, 1) if step.table.hands > hands), len(steps))
    return steps[:end]


def test_bug_B059_hand_after_hand_nobody_sees_what_he_cannot_know() -> None:
    fifty_hands(view_table, 50, 1)


def from_the_second_hand_on(table: Table, viewer: str | None, now: int, live: LiveView) -> TableView:
    show = cards_in_others_hands if table.hands > 1 else view_table
    return show(table, viewer, now, live)


def test_bug_B059_planted() -> None:
    with pytest.raises(Leak):
        fifty_hands(from_the_second_hand_on, 3, 1)
