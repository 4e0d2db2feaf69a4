"""Reviews made behind the room: for whoever played, out of what he knew, kept, and never in anybody's way."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import re
import signal
import sqlite3
import sys
import time
import zlib
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ananas.coach import review as coach
from ananas.coach.cause import cause
from ananas.coach.report import Cause, HandReview, Hint, StreetReview
from ananas.coach.review import Decision
from ananas.game.board import ROWS, placements
from ananas.game.hand import Hand
from ananas.game.rules import RuleSet
from ananas.game.view import view_hand
from ananas.refused import Refused
from ananas.server import reviews as module
from ananas.server.archive import Archive
from ananas.server.histories import finished_hands
from ananas.server.reviews import Reviews
from ananas.server.room import Room
from ananas.server.store import NotKept, Store, _covered, _key
from ananas.server.time import RoomClock
from ananas.server.workers import Workers
from ananas.table.events import AnyEvent, Sat
from ananas.table.evolve import evolve
from tests.server import coaches
from tests.server.house import House, play_hand
from tests.server.test_api import LOG, Asking, finished, room
from tests.server.test_archive import keep
from tests.server.test_histories import elsewhere, evening, renamed
from tests.table.play import NAMES, Play

HAND = "/api/tables/evening/hands/2"


@pytest.fixture(autouse=True)
def mark(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Path]:
    """A coach that judges at once; a file by which tests speak with its processes; no process is left over."""
    path = tmp_path / "mark"
    monkeypatch.setenv("ANANAS_TEST_MARK", str(path))
    # The processes in which coaches judge import this project's tests, however these were started.
    monkeypatch.setattr(sys, "path", [str(Path(__file__).parents[2]), *sys.path])
    monkeypatch.setattr(coach, "judge", coaches.judge)
    yield path
    until = time.monotonic() + 10
    while multiprocessing.active_children():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judges in the room itself, so that a test which asks about something else starts no processes."""
    monkeypatch.setattr(Workers, "do", coaches.at_once)


@pytest.fixture
def time_stands(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is still the moment in which the tables of these tests were left."""

    def now(_: RoomClock) -> int:
        return 1_000_000

    monkeypatch.setattr(RoomClock, "now", now)


def until_done(ask: Asking, path: str, as_: str | None) -> HandReview:
    """Ask again and again, as the page does."""
    until = time.monotonic() + 60
    before = -1
    while True:
        told = msgspec.json.decode(ask.get(path, as_=as_), type=HandReview)
        assert len(told.streets) >= before
        before = len(told.streets)
        assert told.done == (len(told.streets) == told.of)
        if told.done:
            return told
        assert time.monotonic() < until
        time.sleep(0.05)


def as_it_should_be(log: Sequence[AnyEvent], number: int, who: str) -> HandReview:
    """A review, made without any room."""
    found = next(each for each in finished_hands(log) if each.number == number)
    seat = found.seat_of(who)
    assert seat is not None
    made = coach.decisions(found.hand, found.laid, seat, tuple(found.automatic))
    streets = [coaches.judge(decision, found.hand.rules) for decision in made]
    return coach.assemble(found.hand, seat, found.names, streets, len(made), number=number, table="evening")


def refused(ask: Asking, path: str, as_: str | None) -> str:
    answer = ask("GET", path, as_=as_)
    return f"{answer.status_code} {answer.json()['code']}"


# -- who is told what


@pytest.mark.usefixtures("here")
def test_whoever_played_is_told_his_own_review_and_nobody_else_is(tmp_path: Path) -> None:
    with room(tmp_path / "room.sqlite") as ask:
        for who in ("ann", "bob", "cyd"):
            told = until_done(ask, f"{HAND}/review", who)
            assert told == as_it_should_be(LOG, 2, who)
            assert (told.table, told.you, told.of) == ("evening", finished(2).seat_of(who), len(told.streets))
        for stranger in ("dee", "eve", "nobody", None):
            assert refused(ask, f"{HAND}/review", stranger) == "403 not-played"
        assert refused(ask, "/api/tables/evening/hands/99/review", "ann") == "404 no-such-hand"
        assert refused(ask, "/api/tables/running/hands/1/review", "ann") == "404 no-such-hand"
        assert refused(ask, "/api/tables/nowhere/hands/1/review", "ann") == "404 no-table"


@pytest.mark.usefixtures("here")
def test_hands_of_fantasyland_and_hands_the_table_laid_are_reviewed(tmp_path: Path) -> None:
    log = evening(RuleSet()).log
    hands = [each for each in finished_hands(log) if any(each.hand.fantasyland)]
    inside = next(
        (each, player)
        for each in hands
        for player, cards in zip(each.players, each.hand.fantasyland, strict=True)
        if cards
    )
    with room(tmp_path / "room.sqlite", {"evening": log}) as ask:
        found, player = inside
        told = until_done(ask, f"/api/tables/evening/hands/{found.number}/review", player)
        assert told.of == 1
        assert told.streets[0].spot.fantasyland > 0
        laid_for = next(each for each in finished_hands(log) if each.automatic)
        (seat, _), *_ = laid_for.automatic
        idle = str(laid_for.players[laid_for.hand.seats.index(seat)])
        told = until_done(ask, f"/api/tables/evening/hands/{laid_for.number}/review", idle)
        assert any(street.automatic for street in told.streets)


@pytest.mark.usefixtures("here")
def test_a_link_shows_the_review_of_its_sharer_alone(tmp_path: Path) -> None:
    with room(tmp_path / "room.sqlite") as ask:
        own = until_done(ask, f"{HAND}/review", "ann")
        for who in ("ann", "bob", "eve", None):
            link = ask.share(HAND, as_="ann")
            told = until_done(ask, f"{link}/review", who)
            assert told == msgspec.structs.replace(own, table=None)
        nameless = ask.share(HAND, names=False, as_="ann")
        told = until_done(ask, f"{nameless}/review", None)
        assert told.names == tuple(str(seat + 1) for seat in told.seats)
        said = ask.get(f"{nameless}/review").decode()
        assert [name for name in (*NAMES.values(), "Friday", "evening") if f'"{name}"' in said] == []
        for who in ("eve", None):  # they share what anybody sees, and nobody's decisions
            link = ask.share(HAND, as_=who)
            for asker in ("ann", "eve", None):
                assert refused(ask, f"{link}/review", asker) == "403 not-played"
        assert refused(ask, "/api/shared/aaaaaaaaaaaaaaaaaaaaaaaa/review", "ann") == "404 no-link"


def mistaken(decision: Decision, rules: RuleSet) -> StreetReview:
    """Finds fault with every street, and says why."""
    judged = coaches.judge(decision, rules)
    spot, laid = judged.spot, decision.placement
    ways = placements(spot.board, spot.dealt, spot.to_lay)
    other = next(way for way in ways if any({*way.row(row)} != {*laid.row(row)} for row in ROWS))
    best = msgspec.structs.replace(judged.chosen, placement=str(other), points=9.0)
    chosen = msgspec.structs.replace(judged.chosen, points=2.0, behind=7.0, foul=1.0, equal=False)
    why = cause(spot, rules, chosen, best)
    return msgspec.structs.replace(
        judged, verdict="mistake", chosen=chosen, options=(best, chosen), loss=7.0, cause=why
    )


def as_to_the_player(street: StreetReview, _: RuleSet) -> Cause | None:
    """What the player himself is told."""
    return street.cause


def spoken_to(told: HandReview) -> bool:
    """Whether a review speaks to its reader as to the player."""
    said = json.dumps([msgspec.to_builtins(street.cause) for street in told.streets], ensure_ascii=False)
    assert re.search("hand|рук", said)
    return re.search(r"\b(вы|вас|ваш\w*|you|your|yours)\b", said, re.IGNORECASE) is not None


@pytest.mark.usefixtures("here")
def test_whoever_has_a_link_is_told_of_the_player_and_not_as_the_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach, "judge", mistaken)
    with room(tmp_path / "room.sqlite") as ask:
        assert spoken_to(until_done(ask, f"{HAND}/review", "ann"))
        links = [ask.share(HAND, names=names, as_="ann") for names in (True, False)]
        for link in links:
            for who in ("ann", "bob", None):
                assert not spoken_to(until_done(ask, f"{link}/review", who))
        # What it is told by is what keeps it so.
        monkeypatch.setattr(coach, "_to_others", as_to_the_player)
        assert spoken_to(until_done(ask, f"{links[0]}/review", None))


# -- worlds that he who is told cannot tell apart


def reviews_told(path: Path, log: Sequence[AnyEvent], who: str, number: int) -> list[bytes]:
    """All that is said of his decisions to somebody, and to whoever has his links; as bytes."""
    with room(path, {"evening": log}) as ask:
        hand = f"/api/tables/evening/hands/{number}"
        told = list[bytes]()
        for address in (hand, ask.share(hand, as_=who), ask.share(hand, names=False, as_=who)):
            until_done(ask, f"{address}/review", who)
            told.append(ask.get(f"{address}/review", as_=who))
        return told


def tells_two_worlds_apart(tmp_path: Path, who: str, number: int, other: list[AnyEvent]) -> list[bool]:
    one = reviews_told(tmp_path / "one.sqlite", LOG, who, number)
    two = reviews_told(tmp_path / "two.sqlite", other, who, number)
    return [told != also for told, also in zip(one, two, strict=True)]


@pytest.mark.parametrize(("who", "number"), [("ann", 2), ("bob", 3), ("dee", 5)])
@pytest.mark.usefixtures("here")
def test_no_byte_of_a_review_depends_on_what_its_player_cannot_know(tmp_path: Path, who: str, number: int) -> None:
    assert not any(tells_two_worlds_apart(tmp_path, who, number, elsewhere(LOG, number, who)))


def the_deck(hand: Hand, laid: Sequence[tuple[int, int]], seat: int, automatic: Any = ()) -> tuple[Decision, ...]:  # noqa: ANN401
    """Decisions by one who saw all that others saw."""
    made = DECISIONS(hand, laid, seat, automatic)
    other = next(each for each in hand.seats if each != seat)
    seen = sum(1 << place for place, card in enumerate(sorted(hand.deck)) if card in hand.placements[0][-1].discards)
    own = view_hand(hand, 1 + seen % 1000, other, {})
    return tuple(
        msgspec.structs.replace(each, view=msgspec.structs.replace(each.view, number=own.number)) for each in made
    )


DECISIONS = coach.decisions


@pytest.mark.usefixtures("here")
def test_a_review_that_knows_too_much_is_caught(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "decisions", the_deck)
    number = 2
    who = next(player for player in finished(number).players[1:])
    assert all(tells_two_worlds_apart(tmp_path, who, number, elsewhere(LOG, number, who)))


@pytest.mark.usefixtures("here")
def test_no_byte_of_a_review_without_names_depends_on_names(tmp_path: Path) -> None:
    assert tells_two_worlds_apart(tmp_path, "ann", 2, renamed(LOG, "z")) == [True, True, False]


# -- kept


@pytest.mark.usefixtures("here")
def test_a_review_is_kept_over_a_restart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "room.sqlite"
    with room(path) as ask:
        before = until_done(ask, f"{HAND}/review", "ann")
    monkeypatch.setattr(coach, "judge", coaches.fail)
    with room(path) as ask:
        assert msgspec.json.decode(ask.get(f"{HAND}/review", as_="ann"), type=HandReview) == before
        until = time.monotonic() + 30
        while refused_or_none(ask, f"{HAND}/review", "bob") != "503 not-kept":  # his had not been made
            assert time.monotonic() < until


def refused_or_none(ask: Asking, path: str, as_: str) -> str | None:
    answer = ask("GET", path, as_=as_)
    return None if answer.status_code == 200 else f"{answer.status_code} {answer.json()['code']}"


@pytest.mark.parametrize("damage", ["coach = 0", "body = X'00'", "body = X'789c030000000001'"])
@pytest.mark.usefixtures("here")
def test_what_an_older_coach_has_said_or_nobody_can_read_is_made_anew(tmp_path: Path, damage: str) -> None:
    path = tmp_path / "room.sqlite"
    with room(path) as ask:
        before = until_done(ask, f"{HAND}/review", "ann")
    with closing(sqlite3.connect(path)) as db:
        assert db.execute(f"UPDATE reviews SET {damage}").rowcount == 1
        db.commit()
    with room(path) as ask:
        assert until_done(ask, f"{HAND}/review", "ann") == before
    with closing(sqlite3.connect(path)) as db:
        ((body, version),) = db.execute("SELECT body, coach FROM reviews").fetchall()
        uncovered = _covered(body[16:], _key(db, "evening"), body[:16])
    assert version == module.COACH
    assert len(json.loads(zlib.decompress(uncovered))) == before.of


# -- in the background


def with_reviews(
    path: Path,
    body: Callable[[Reviews, Store], Awaitable[None]],
    *,
    processes: int = 2,
    store: type[Store] = Store,
) -> None:
    """Run a test beside a store with an evening in it, and close everything after it."""

    async def run() -> None:
        kept = store(path)
        workers = Workers("coach", processes, [coach.judge])
        reviews = Reviews(store=kept, archive=Archive(kept), workers=workers, coach=coach)
        try:
            await keep(kept, "evening", LOG)
            await body(reviews, kept)
        finally:
            await reviews.close()
            workers.close()
            kept.close()

    asyncio.run(run())


async def look(reviews: Reviews, who: str, number: int = 2) -> HandReview:
    found = finished(number)
    return (await reviews.review(("evening", number, who), found, table="evening"))()


async def until(condition: Callable[[], Awaitable[object]]) -> None:
    """Look again and again until it is so."""
    async with asyncio.timeout(60):
        while not await condition():  # noqa: ASYNC110
            await asyncio.sleep(0.01)


async def judged(reviews: Reviews, who: str, number: int = 2) -> int:
    """How many streets can be told."""
    return len((await look(reviews, who, number)).streets)


async def wait_for(reviews: Reviews, who: str, number: int = 2) -> HandReview:
    async def done() -> bool:
        return (await look(reviews, who, number)).done

    await until(done)
    return await look(reviews, who, number)


async def in_the_making(reviews: Reviews, number: int | None) -> bool:
    """Whether a review of this hand is; None: whether none is."""
    hands = [key.hand for key in reviews._making]
    return not hands if number is None else number in hands


async def bodies(store: Store, number: int = 2) -> set[str]:
    """Whose reviews of a hand are kept."""
    return {who for who in NAMES if await store.review("evening", number, who, module.COACH) is not None}


def test_reviews_are_made_ahead_and_street_by_street(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: Path
) -> None:
    monkeypatch.setattr(coach, "judge", coaches.judge_when_told)

    async def body(reviews: Reviews, store: Store) -> None:
        reviews.dealt()
        reviews.counted("evening", 2, ["ann", "bob"])
        await until(lambda: judged(reviews, "ann"))
        told = await look(reviews, "ann")
        assert (len(told.streets), told.done, told.of) == (1, False, 5)
        assert await bodies(store) == set()
        await asyncio.to_thread(mark.touch)

        async def both() -> bool:
            return await bodies(store) == {"ann", "bob"}

        await until(both)
        assert await look(reviews, "ann") == as_it_should_be(LOG, 2, "ann")

    with_reviews(tmp_path / "room.sqlite", body)


def the_longest_wait(tmp_path: Path) -> float:
    """The longest that the event loop does not come round while reviews are made."""
    longest = 0.0

    async def body(reviews: Reviews, store: Store) -> None:
        nonlocal longest
        reviews.counted("evening", 2, ["ann"])
        before = time.monotonic()
        while not await bodies(store):
            await asyncio.sleep(0.01)
            longest, before = max(longest, time.monotonic() - before), time.monotonic()

    with_reviews(tmp_path / "room.sqlite", body)
    return longest


def test_judging_does_not_hold_the_event_loop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "judge", coaches.judge_slowly)
    assert the_longest_wait(tmp_path) < 0.9


def test_a_coach_that_judges_in_the_room_itself_would_be_caught(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def here(_: Workers, work: Callable[..., object], *args: object, **__: object) -> object:
        return work(*args)

    monkeypatch.setattr(coach, "judge", coaches.judge_slowly)
    monkeypatch.setattr(Workers, "do", here)
    assert the_longest_wait(tmp_path) > 0.9


@pytest.mark.parametrize("fault", ["die_once", "hang_once"])
def test_a_worker_that_dies_or_hangs_is_replaced_and_the_street_judged_once_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    monkeypatch.setattr(coach, "judge", getattr(coaches, fault))
    monkeypatch.setattr(module, "STREET_SECONDS", 6.0)

    async def body(reviews: Reviews, _: Store) -> None:
        assert await wait_for(reviews, "ann") == as_it_should_be(LOG, 2, "ann")

    with_reviews(tmp_path / "room.sqlite", body)


def test_workers_that_are_killed_in_the_middle_are_replaced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(coach, "judge", coaches.judge_slowly)

    async def body(reviews: Reviews, _: Store) -> None:
        await until(lambda: judged(reviews, "ann"))
        for process in multiprocessing.active_children():
            assert process.pid is not None
            os.kill(process.pid, signal.SIGKILL)
        assert await wait_for(reviews, "ann") == as_it_should_be(LOG, 2, "ann")

    with_reviews(tmp_path / "room.sqlite", body)


@pytest.mark.parametrize("fault", ["die", "fail"])
def test_a_review_that_cannot_be_made_is_given_up_and_the_next_one_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fault: str
) -> None:
    monkeypatch.setattr(coach, "judge", getattr(coaches, fault))

    async def body(reviews: Reviews, store: Store) -> None:
        with pytest.raises(Refused, match="not keep"):
            await wait_for(reviews, "ann")
        with pytest.raises(Refused, match="not keep"):  # nor is it tried again and again
            await look(reviews, "ann")
        assert await bodies(store) == set()
        monkeypatch.setattr(coach, "judge", coaches.judge)
        assert (await wait_for(reviews, "bob")).done
        monkeypatch.setattr(module, "GIVEN_UP_SECONDS", 0.0)
        assert (await wait_for(reviews, "ann")).done

    with_reviews(tmp_path / "room.sqlite", body)
    assert capsys.readouterr().out.count("a review is given up") == 1


def test_what_the_store_does_not_keep_is_told_all_the_same(tmp_path: Path) -> None:
    class Full(Store):
        async def keep_review(self, table_id: str, hand: int, player: str, coach: int, body: bytes) -> None:
            raise NotKept(f"the disk is full: {table_id} {hand} {player} {coach}, {len(body)} bytes")

    async def body(reviews: Reviews, _: Store) -> None:
        told = await wait_for(reviews, "ann")
        assert told == await look(reviews, "ann")

    with_reviews(tmp_path / "room.sqlite", body, store=Full)


def test_the_newest_go_first_and_where_too_many_wait_the_oldest_is_left_until_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: Path
) -> None:
    monkeypatch.setattr(coach, "judge", coaches.judge_when_told)
    monkeypatch.setattr(module, "QUEUE", 2)
    monkeypatch.setattr(module, "AHEAD", 1)

    class Ordered(Store):
        """Notes in which order reviews are kept."""

        async def keep_review(self, table_id: str, hand: int, player: str, coach: int, body: bytes) -> None:
            kept.append(hand)
            await super().keep_review(table_id, hand, player, coach, body)

    kept = list[int]()

    async def body(reviews: Reviews, _: Store) -> None:
        reviews.counted("evening", 1, ["ann"])
        await until(partial(in_the_making, reviews, 1))
        for number in (2, 3, 5):
            reviews.counted("evening", number, ["ann"])
        await asyncio.to_thread(mark.touch)

        async def all_that_wait() -> bool:
            return len(kept) == 3

        await until(all_that_wait)
        await until(partial(in_the_making, reviews, None))
        assert kept == [1, 5, 3]
        assert (await wait_for(reviews, "ann", 2)).done  # made now that it is asked for

    with_reviews(tmp_path / "room.sqlite", body, store=Ordered)


def test_where_too_many_wait_the_first_of_them_keep_their_places(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: Path
) -> None:
    monkeypatch.setattr(coach, "judge", coaches.judge_when_told)
    monkeypatch.setattr(module, "AT_ONCE", 2)

    async def body(reviews: Reviews, _: Store) -> None:
        for number in (1, 2):
            await look(reviews, "ann", number)
        told = await look(reviews, "ann", 3)
        assert [key.hand for key in reviews._making] == [1, 2]
        assert (told.done, told.of, told.streets) == (False, 5, ())
        await asyncio.to_thread(mark.touch)
        assert (await wait_for(reviews, "ann", 3)).done

    with_reviews(tmp_path / "room.sqlite", body)


def test_where_more_wait_than_there_are_places_all_of_them_are_told_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each asks again and again: were one dropped for another, none would ever be ready."""
    monkeypatch.setattr(coach, "judge", coaches.judge_in_a_while)
    monkeypatch.setattr(module, "AT_ONCE", 3)

    async def body(reviews: Reviews, _: Store) -> None:
        everybody = [(who, number) for number in (1, 2, 3) for who in ("ann", "bob")]
        await asyncio.gather(*(wait_for(reviews, who, number) for who, number in everybody))

    with_reviews(tmp_path / "room.sqlite", body)


def test_what_is_dropped_before_it_was_begun_keeps_nobody_waiting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "AT_ONCE", 1)

    async def body(reviews: Reviews, _: Store) -> None:
        begun = [reviews._begin(module._Key("evening", number, "ann"), finished(number)) for number in (1, 2)]
        async with asyncio.timeout(10):
            for making in begun:
                assert making is not None
                await making.listed.wait()

    with_reviews(tmp_path / "room.sqlite", body)


def test_a_hand_without_decisions_that_can_be_judged_is_told_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(*_: object) -> tuple[Decision, ...]:
        return ()

    monkeypatch.setattr(coach, "decisions", none)

    async def body(reviews: Reviews, _: Store) -> None:
        told = await look(reviews, "ann")
        assert (told.done, told.of, told.streets) == (True, 0, ())
        assert told.luck == pytest.approx(told.result + told.right)

    with_reviews(tmp_path / "room.sqlite", body)


def test_what_somebody_waits_for_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, mark: Path) -> None:
    monkeypatch.setattr(coach, "judge", coaches.judge_when_told)

    async def body(reviews: Reviews, store: Store) -> None:
        for number in (1, 2, 3):
            reviews.counted("evening", number, ["ann", "bob", "cyd"])

        async def begun() -> bool:
            return len(reviews._making) == module.AHEAD

        await until(begun)
        await look(reviews, "dee", 5)
        await asyncio.to_thread(mark.touch)
        await wait_for(reviews, "dee", 5)
        kept = sum([len(await bodies(store, number)) for number in (1, 2, 3)])
        assert kept < 9

    with_reviews(tmp_path / "room.sqlite", body, processes=1)


# -- hints


def alone_with_a_bot() -> list[AnyEvent]:
    """A hand of Ann and a bot, in which she has cards to lay."""
    play = Play(RuleSet(seats=(2, 3)), "ann bot:0")
    play.ready("bot:0", "ann")
    while "ann" not in play.acting:
        play.confirm()
    return play.log


@pytest.mark.usefixtures("here", "time_stands")
def test_a_hint_is_for_her_who_plays_bots_alone_and_out_of_what_she_knows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(coach, "hint", coaches.hint)
    with room(tmp_path / "room.sqlite", {"alone": alone_with_a_bot()}) as ask:
        path = "/api/tables/alone/hint"
        answer = ask("POST", path, {}, as_="ann")
        assert answer.status_code == 200, answer.text
        table = ask.table("alone")
        assert table.hand is not None
        assert table.rules is not None
        own = view_hand(table.hand, 1, table.seat_of("ann"), {})
        assert msgspec.json.decode(answer.content, type=Hint) == coaches.hint(own, table.rules, 1)
        for stranger in ("bob", "eve", None):
            answer = ask("POST", path, {}, as_=stranger)
            assert (answer.status_code, answer.json()["code"]) == (422, "no-hint")


@pytest.mark.usefixtures("here", "time_stands")
@pytest.mark.parametrize(
    ("fault", "status", "code"), [(coaches.fail, 503, "not-kept"), (coaches.too_many_cards, 422, "no-hint")]
)
def test_a_coach_without_a_hint_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Callable[..., object], status: int, code: str
) -> None:
    monkeypatch.setattr(coach, "hint", fault)
    with room(tmp_path / "room.sqlite", {"alone": alone_with_a_bot()}) as ask:
        answer = ask("POST", "/api/tables/alone/hint", {}, as_="ann")
        assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.usefixtures("time_stands")
def test_who_gets_company_while_the_coach_thinks_gets_no_hint(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with room(tmp_path / "room.sqlite", {"alone": alone_with_a_bot()}) as ask:

        async def company_comes(_: Workers, work: Callable[..., object], *args: object, **__: object) -> object:
            found = work(*args)
            assert isinstance(found, Hint)
            app: Any = ask.client.app
            live: Room = app.state.rooms._rooms["alone"]
            live.table = evolve(live.table, company)
            return found

        company = Sat(at=0, seat=2, player="bob", name="Bob", bot=False, stack=50, brought=50)
        monkeypatch.setattr(coach, "hint", coaches.hint)
        monkeypatch.setattr(Workers, "do", company_comes)
        answer = ask("POST", "/api/tables/alone/hint", {}, as_="ann")
        assert (answer.status_code, answer.json()["code"]) == (422, "no-hint")
        assert len(ask.table("alone").seated) == 3


# -- in a real room


def test_the_review_of_a_hand_that_was_played_comes_by_itself_for_people_and_completes(tmp_path: Path) -> None:
    house = House(tmp_path / "room.sqlite", reviews="ahead").start()

    async def body() -> str:
        cookie = house.guest("Ann")
        table = house.table(cookie, seats=2, bots=1)
        ann = await house.come(cookie, table)
        await ann.kept("sit")
        await ann.kept("ready", hand=1)
        await ann.see(lambda view: view["hand"] is not None)
        await ann.see(lambda _: ann.acts)
        answer = await asyncio.to_thread(house.call, "POST", f"/api/tables/{table}/hint", {}, cookie)
        assert (answer.status, answer.json["hand"]) == (200, 1)
        await play_hand([ann])
        path = f"/api/tables/{table}/hands/1/review"

        async def kept() -> bool:
            return bool(kept_for())

        await until(kept)
        told = house.call("GET", path, cookie=cookie).json
        assert (told["done"], len(told["streets"]), told["of"]) == (True, 5, 5)
        assert told["result"] + told["right"] == pytest.approx(told["decisions"] + told["luck"])
        assert house.call("GET", path).status == 403
        await ann.close()
        return path

    def kept_for() -> list[str]:
        with closing(sqlite3.connect(house.database)) as db:
            return [player for (player,) in db.execute("SELECT player FROM reviews")]

    try:
        asyncio.run(body())
        (player,) = kept_for()  # a bot has none
        assert player.startswith("guest:")
    finally:
        house.close()
