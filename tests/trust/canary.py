"""Hands with marked cards: whatever a real room sends, logs or stores is searched for cards that do not belong there.

People and a bot play over the network, with all that there is beside: proofs, reviews, hints, downloads, links, and a room
that breaks now and then and says why. Then it is opened what was dealt in truth, and every byte is searched: what each of
them was sent, for cards of others that he never came to see in that hand, and for seeds and salts of cards that were not
opened to him; the log and the database, but for its table `secrets`, for all of that as nobody may read it there.

    python -m tests.trust.canary --hands 200 --seed 7
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import gzip
import hashlib
import itertools
import json
import re
import secrets
import shutil
import sqlite3
import sys
import tempfile
import time
import zlib
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
from websockets.asyncio.client import connect
from websockets.typing import Origin

from ananas import fair, protocol
from ananas.game.cards import DECK, Card
from ananas.server.histories import FinishedHand, finished_hands
from ananas.server.store import load, open_to_check, table_ids
from ananas.table.seeds import unsealed
from tests.chance import Chance
from tests.server.house import Answer, House, Player

RULES: Final = {
    "fantasyland_entry": "22",
    "settlement_cap": "none",
    "hand_seconds": "120",
    "showdown_seconds": "1",
}
PEOPLE: Final = ("ann", "bob", "cyd")
NOBODY: Final = "nobody"
CARD: Final = re.compile(rb"(?<![A-Za-z0-9_-])(?:x?)((?:[2-9TJQKA][cdhs])+)(?![A-Za-z0-9_-])")
"""Cards as text, one or several, wherever they stand by themselves; what is drawn by lot, as `4h-Qs_7`, names none."""


class Leak(AssertionError):
    """A card, or what makes cards, stands where it does not belong."""


class Sent(NamedTuple):
    """Bytes that somebody was sent about a hand, by its number; null where they are about several, or none."""

    hand: int | None
    what: bytes


class Evening(NamedTuple):
    """What came of it: the truth of every hand, what each viewer was sent, and where the room wrote."""

    seed: str
    hands: Mapping[int, FinishedHand]
    table: str
    ids: Mapping[str, str]
    sent: Mapping[str, list[Sent]]
    database: Path
    log: Path


# -- playing


_callers: Final = itertools.count().__next__


class Guest(Player):
    """Somebody who plays, and keeps every byte that he is sent."""

    def __init__(self, house: House, cookie: str | None, table: str) -> None:
        super().__init__(house, cookie, table)
        self.window = f"window-of-{_callers():06}&proof=1"

    async def connect(self) -> None:
        """Open the socket (again), however long it takes until something is shown: this room may break at it."""
        for _ in range(60):
            try:
                async with asyncio.timeout(0.7):
                    await self._open()
                    return
            except TimeoutError:
                continue
        raise AssertionError("the room breaks every time")

    async def _open(self) -> None:
        headers = {} if self.cookie is None else {"Cookie": f"ananas_guest={self.cookie}"}
        if self._socket is not None:
            self._socket.transport.abort()
        self._socket = await connect(
            f"ws://127.0.0.1:{self.house.port}/api/tables/{self.table}/socket?window={self.window}",
            origin=Origin(self.house.url),
            additional_headers=headers,
            compression=None,
            ping_interval=None,
        )
        self.view = {}
        while not self.view:
            await self.next()


async def _play(
    house: House, cookies: Mapping[str, str | None], people: Sequence[str], bots: int, hands: int, chance: Chance
) -> tuple[str, dict[str, list[Sent]]]:
    """So many hands of these at a new table, before somebody with a name and somebody without; gives what was sent."""
    table = house.table(str(cookies["ann"]), seats=len(people) + bots, bots=bots, changes=RULES)
    everybody = {name: Guest(house, cookies[name], table) for name in (*people, "eve", NOBODY)}
    players = [everybody[name] for name in people]
    sent: dict[str, list[Sent]] = defaultdict(list)
    calls = _Calls(house, {name: cookies[name] for name in everybody}, sent, table)
    for player in everybody.values():
        await player.connect()
    for player in players:
        await _insist(player, "sit")
    for number in range(1, hands + 1):
        await _hand(players, number, chance, calls)
        for name, player in everybody.items():
            sent[name] += [Sent(_about(json.loads(frame)), frame.encode()) for frame in player.frames]
            player.frames.clear()
        if number == 1 or chance.below(5) == 0:
            calls.look_back(number, chance, people)
        if chance.below(2) == 0:
            await everybody[chance.pick(("eve", NOBODY))].connect()
    for name in everybody:
        for what in ("hands.ofcs", "hands", "account"):
            calls(name, "GET", f"/api/tables/{table}/{what}", None)
    await calls.review(1, people)
    for player in everybody.values():
        player.socket.transport.abort()
    await asyncio.sleep(0.1)
    return table, sent


def _about(message: dict[str, Any]) -> int | None:
    """The hand that a message shows, if any."""
    match message:
        case {"type": "view", "view": {"hand": {"number": number}}}:
            return int(number)
        case {"type": "opened", "proof": {"hand": hand}}:
            return int(hand.partition("/")[2])
        case _:
            return None


class _Calls:
    """Requests over HTTP; what is answered is kept."""

    def __init__(
        self, house: House, cookies: Mapping[str, str | None], sent: dict[str, list[Sent]], table: str
    ) -> None:
        self._house: Final = house
        self._cookies: Final = cookies
        self._sent: Final = sent
        self._table: Final = table

    def __call__(self, who: str, method: str, path: str, hand: int | None, body: object = None) -> Answer:
        zipped = {"accept_encoding": "gzip"} if hand is not None and hand % 2 else {}
        answer = self._house.call(method, path, body, self._cookies[who], **zipped)
        told = gzip.decompress(answer.body) if answer.headers.get("content-encoding") == "gzip" else answer.body
        head = "".join(f"{name}: {value}\n" for name, value in answer.headers.items())
        self._sent[who].append(Sent(hand, head.encode() + told))
        return answer._replace(body=told)

    def look_back(self, number: int, chance: Chance, people: Sequence[str]) -> None:
        """Ask for all there is of a hand, as everybody."""
        here = f"/api/tables/{self._table}/hands/{number}"
        for who in self._cookies:
            for what in ("", ".ofc", "/proof", "/review"):
                self(who, "GET", here + what, number)
            shared = self(who, "POST", f"{here}/share", number, {"names": bool(chance.below(2))})
            if shared.status == 201:
                link = shared.json["link"]
                # Whoever has the link knows what the one knows who gave it away.
                asker = who if who in people else NOBODY
                for what in ("", ".ofc", "/review"):
                    self(asker, "GET", f"/api/shared/{link}{what}", number)

    async def review(self, number: int, people: Sequence[str]) -> None:
        """Wait until everybody's hand is reviewed, and that is stored."""
        for who in people:
            for _ in range(300):
                answer = self(who, "GET", f"/api/tables/{self._table}/hands/{number}/review", number)
                if answer.status == 200 and answer.json["done"]:
                    break
                await asyncio.sleep(0.1)

    def hint(self) -> None:
        """Ask for a hint, which is given only beside bots."""
        self("ann", "POST", f"/api/tables/{self._table}/hint", None, {})


async def _insist(player: Player, kind: str, **fields: object) -> bool:
    """Ask until it is kept, or refused for a reason: this room breaks now and then."""
    for _ in range(20):
        answer = await player.ask(kind, **fields)
        if answer["type"] == "kept":
            return True
        if answer["code"] not in {"not-kept", "too-fast"}:
            return False
        await asyncio.sleep(0.05)
    raise AssertionError("the room breaks every time")


async def _hand(players: Sequence[Guest], number: int, chance: Chance, calls: _Calls) -> None:
    """Play a hand to its end, with drafts and refusals; somebody comes back in the midst of it."""
    for player in players:
        await _up_to_date(player)
        view = player.view
        if view["fair"] is not None and view["fair"]["hand"] == number and "commit-seed" in view["may"]:
            bound = fair.commitment(view["fair"]["name"], player.seat, _seed(player, number))
            await _insist(player, "commit-seed", hand=number, commitment=bound)
        await _insist(
            player, "go-on" if view["phase"] == "pause" else "ready", hand=number - (view["phase"] == "pause")
        )
    until = time.monotonic() + 150
    while True:
        for player in players:
            await _up_to_date(player)
            if "open-seed" in player.view["may"]:
                await _insist(player, "open-seed", hand=number, seed=_seed(player, number))
            if "confirm" in player.view["may"] and player.view["hand"]["number"] == number:
                await _turn(player, chance)
        shown, coming = players[0].view["hand"], players[0].view["fair"]
        if shown is not None and shown["number"] == number and shown["reckoning"] is not None:
            break
        # The next one is sealed: this one was voided, as the machine stood still for longer than a room may.
        if coming is not None and coming["hand"] > number:
            break
        if time.monotonic() > until:
            may = [(one.view["phase"], one.view["may"]) for one in players]
            raise AssertionError(f"hand {number} never ends: {may}")
        await asyncio.sleep(0.02)
        if chance.below(8) == 0:
            await chance.pick(players).connect()
        if chance.below(8) == 0:
            calls.hint()
    for player in players:
        await _up_to_date(player)


async def _turn(player: Player, chance: Chance) -> None:
    placement, turn = player.placement(), player.turn()
    if player.view["hand"]["players"] and chance.below(3) == 0:
        draft = placement.partition(" ")[0]
        await player.send({"type": "draft", **turn, "placement": draft})
    if chance.below(5) == 0:  # cards that may be another's
        await player.ask("confirm", **turn, placement=f"{chance.pick(DECK)}/-/-")
    mine = next(side for side in player.view["hand"]["players"] if side["seat"] == player.seat)
    if mine["fantasyland"]:
        placement = player.whole_board()
    await _insist(player, "confirm", **turn, placement=placement)


def _seed(player: Player, number: int) -> str:
    return hashlib.sha256(f"{player.window} {number}".encode()).hexdigest()[:32]


async def _up_to_date(player: Player) -> None:
    """Hear all that has been said by now."""
    await player.send({"type": "ping"})
    while (message := await player.next())["type"] != "pong":
        if message.get("code") == "too-fast":
            await asyncio.sleep(0.3)
            await player.send({"type": "ping"})


# -- the truth


def truth(database: Path) -> tuple[dict[str, dict[int, FinishedHand]], dict[str, str]]:
    """Every finished hand by table, and the players by name."""
    hands: dict[str, dict[int, FinishedHand]] = {}
    ids: dict[str, str] = {}
    with closing(open_to_check(database)) as db:
        for table in table_ids(db):
            log = load(db, table)
            assert log is not None
            hands[table] = {found.number: found for found in finished_hands(log.events)}
            ids |= {
                name.lower(): player
                for found in hands[table].values()
                for name, player in zip(found.names, found.players, strict=True)
            }
    return hands, ids


def never_seen(found: FinishedHand, player: str | None) -> set[Card]:
    """The cards of a hand that a player, or anybody, never comes to see."""
    known = {card for board in found.hand.boards for card in board.cards}
    if player in found.players:
        own = found.hand.placements[found.players.index(player)]
        known |= {card for placement in own for card in placement.cards}
    return {*DECK} - known


def cards_in(told: bytes) -> set[Card]:
    """All cards that are named in a text."""
    found = b"".join(CARD.findall(told)).decode()
    return {Card(found[place : place + 2]) for place in range(0, len(found), 2)}


def spellings(secret: bytes) -> Iterator[bytes]:
    """The ways in which a secret may be written."""
    yield secret
    yield secret.hex().encode()
    yield secret.hex().upper().encode()
    for shift in range(3):  # base64 looks different wherever in the text it begins
        whole = base64.b64encode(bytes(shift) + secret)
        yield whole[4 if shift else 0 : len(whole) - 4]
    yield repr(secret)[2:-1].encode()
    yield str(int.from_bytes(secret)).encode()


# -- the search


def search(evening: Evening) -> int:
    """Search every byte; gives how many there were. Raises `Leak`."""
    return sum(part(evening) for part in SEARCHES.values())


def _player(evening: Evening, who: str) -> str | None:
    return evening.ids.get(who) if who in PEOPLE else None


def search_sent(evening: Evening) -> int:
    """What everybody was sent of a hand names no card of it that he never came to see; refusals quote what was asked."""
    for who, told in evening.sent.items():
        for hand, what in told:
            found = evening.hands.get(hand or 0)
            if found is not None and b'"type":"refused"' not in what and b'"code"' not in what:
                _no_cards(evening, who, found, _player(evening, who), what)
    return sum(len(what) for told in evening.sent.values() for _, what in told)


def search_opened(evening: Evening) -> int:
    """Nobody is told what decks are made from, nor the salt of a card that he never came to see, by which he would find it."""
    hidden = list(_secrets(evening))
    for who, told in evening.sent.items():
        together = b"\n".join(what for _, what in told)
        _no_secrets(evening, who, together, hidden)
        opened = {bytes.fromhex(salt.decode()) for salt in re.findall(rb'"salt":"([0-9a-f]{32})"', together)}
        _no_salts(evening, who, _player(evening, who), opened)
    return 0


def search_log(evening: Evening) -> int:
    """The room's log names no card at all."""
    logged = evening.log.read_bytes()
    for line in logged.splitlines():
        if cards_in(line):
            raise Leak(f"--seed {evening.seed}: the log names cards: {line[:300].decode(errors='replace')}")
    _no_secrets(evening, "the log", logged, [*_secrets(evening), *_salts(evening)])
    return len(logged)


def _no_cards(evening: Evening, who: str, found: FinishedHand, player: str | None, what: bytes) -> None:
    if wrong := cards_in(what) & never_seen(found, player):
        raise Leak(f"--seed {evening.seed}: {who} is sent {sorted(wrong)} of hand {found.number}: {what[:300]!r}")


def _secrets(evening: Evening) -> Iterator[bytes]:
    """What decks are made from."""
    for found in evening.hands.values():
        if found.sealed is not None:
            yield bytes.fromhex(found.sealed.master)


def _dealt(evening: Evening, found: FinishedHand) -> fair.Sealed:
    assert found.sealed is not None
    return unsealed(evening.table, found.sealed, found.hand.rules, found.hand.seats, found.hand.fantasyland)


def _salts(evening: Evening) -> Iterator[bytes]:
    for found in evening.hands.values():
        if found.sealed is not None:
            yield from _dealt(evening, found)._secret.salts


def _no_salts(evening: Evening, who: str, player: str | None, opened: set[bytes]) -> None:
    """Nobody is told the salt of a card that he never came to see: with it he would find the card."""
    for found in evening.hands.values():
        if found.sealed is None:
            continue
        dealt = _dealt(evening, found)
        for card in never_seen(found, player):
            if dealt._secret.salts[dealt._where[card]] in opened:
                raise Leak(f"--seed {evening.seed}: {who} is sent the salt of {card} of hand {found.number}")


def _no_secrets(evening: Evening, where: str, told: bytes, hidden: Iterable[bytes]) -> None:
    for secret in hidden:
        for spelling in spellings(secret):
            if spelling in told:
                raise Leak(f"--seed {evening.seed}: {where} holds a secret, as {spelling!r}")


@contextmanager
def _without_secrets(evening: Evening) -> Generator[tuple[sqlite3.Connection, Path, set[bytes]]]:
    """A copy of the database without its table of secrets, written anew so that nothing is left of it; and their salts."""
    copy = evening.database.with_suffix(".copy")
    shutil.copy(evening.database, copy)
    for end in ("-wal", "-shm"):
        if (beside := Path(f"{evening.database}{end}")).exists():
            shutil.copy(beside, f"{copy}{end}")
    with closing(sqlite3.connect(copy, isolation_level=None)) as db:
        salts = {row[0] for row in db.execute("SELECT salt FROM secrets")}
        db.execute("DROP TABLE secrets")
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("VACUUM")
        yield db, copy, salts


def search_rows(evening: Evening) -> int:
    """What the log holds for everybody names no card that stays hidden."""
    with _without_secrets(evening) as (db, _, _):
        rows = db.execute("SELECT events FROM events WHERE table_id = ? ORDER BY version", (evening.table,)).fetchall()
    for found, events in _by_hand(evening, rows):
        if wrong := cards_in(events) & never_seen(found, None):
            raise Leak(f"--seed {evening.seed}: the log of hand {found.number} names {sorted(wrong)} for everybody")
    return 0


def search_beside(evening: Evening) -> int:
    """No other table names any card; but for the puzzle, which is everybody's."""
    with _without_secrets(evening) as (db, _, _):
        others = [
            value
            for (name,) in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
            if name not in {"events", "puzzles"}
            for row in db.execute(f"SELECT * FROM {name}")
            for value in row
        ]
    for value in others:
        kept = value.encode() if isinstance(value, str) else value
        if isinstance(kept, bytes) and cards_in(_unpacked(kept)):
            raise Leak(f"--seed {evening.seed}: cards are stored beside the log: {_unpacked(kept)[:200]!r}")
    return 0


def search_raw(evening: Evening) -> int:
    """No byte of the database, but for its table of secrets, tells what decks are made from, or covers cards."""
    with _without_secrets(evening) as (_, copy, salts):
        raw = copy.read_bytes()
    _no_secrets(evening, "the database", raw, [*_secrets(evening), *_salts(evening), *salts])
    return len(raw)


def _unpacked(kept: bytes) -> bytes:
    """What is stored, as it was before it was packed; bytes that are no text name cards by accident alone."""
    for start in (0, 16):
        with suppress(zlib.error):
            return zlib.decompress(kept[start:])
    return kept if kept.isascii() else b""


def _by_hand(evening: Evening, rows: Iterable[tuple[str]]) -> Iterator[tuple[FinishedHand, bytes]]:
    """What stands in the log, for everybody, of each hand."""
    number, told = 0, defaultdict[int, list[bytes]](list)
    for (events,) in rows:
        for event in json.loads(events):
            number = event["hand"] if event["type"] in {"HandCalled", "HandDealt"} else number
            told[number].append(json.dumps(event).encode())
    for hand, found in evening.hands.items():
        yield found, b"\n".join(told[hand])


def search_guesses(evening: Evening) -> int:
    """What is kept of a command says nothing of its discard to somebody who tries all it may have been."""
    with _without_secrets(evening) as (db, _, _):
        query = "SELECT command_id, events, body_hash FROM events WHERE table_id = ?"
        said = db.execute(query, (evening.table,)).fetchall()
    for sender, events, kept in said:
        if sender is None or kept is None or '"Confirmed"' not in events:
            continue
        event = next(event for event in json.loads(events) if event["type"] == "Confirmed")
        rows = event["rows"]
        if rows is None:
            continue
        for number, found in evening.hands.items():
            seat, street = int(event["seat"]), int(event["street"])
            if seat not in found.hand.seats or len(found.hand.placements[found.hand.seats.index(seat)]) < street:
                continue
            placement = found.hand.placements[found.hand.seats.index(seat)][street - 1]
            if placement.rows != rows or not placement.discards:
                continue
            message = protocol.Confirm(
                id=sender.rpartition(":")[2], hand=number, street=street, placement=str(placement)
            )
            if hashlib.sha256(msgspec.json.encode(message)).digest() == kept:
                raise Leak(f"--seed {evening.seed}: the discard of hand {number}, street {street} can be guessed")
    return 0


SEARCHES: Final[Mapping[str, Callable[[Evening], int]]] = {
    "sent": search_sent,
    "opened": search_opened,
    "log": search_log,
    "rows": search_rows,
    "beside": search_beside,
    "guesses": search_guesses,
    "raw": search_raw,
}


# -- all of it


def play(folder: Path, hands: int, *, seed: str, fault: str = "broken") -> list[Evening]:
    """Play so many hands in a room that breaks now and then, or with another fault: one in eight of them beside a bot."""
    house = House(folder / "room.sqlite")
    house.main = ("tests.trust.faulty", fault)
    house.start()
    try:
        cookies: dict[str, str | None] = {name: house.guest(name.title()) for name in (*PEOPLE, "eve")}
        cookies[NOBODY] = None
        chance, beside_a_bot = Chance(f"canary {seed}"), -(-hands // 8)
        played = [
            asyncio.run(_play(house, cookies, PEOPLE, 0, hands - beside_a_bot, chance)),
            asyncio.run(_play(house, cookies, PEOPLE[:1], 1, beside_a_bot, chance)),
        ]
    finally:
        house.close()  # by force, so that the write-ahead file stays, and is searched as well
    found, ids = truth(house.database)
    assert all(found[table] for table, _ in played), "no hand came to its end"
    return [Evening(seed, found[table], table, ids, sent, house.database, house.log) for table, sent in played]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", "--count", type=int, default=200)
    parser.add_argument("--seed", default=secrets.token_hex(4))
    parser.add_argument("--fault", default="broken", help="what is wrong with the room, of those in faulty.py")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            evenings = play(Path(folder), options.hands, seed=options.seed, fault=options.fault)
            searched = sum(map(search, evenings))
        except Leak as leak:
            sys.exit(f"a leak: {leak}")
    print(
        f"seed {options.seed}: {sum(len(each.hands) for each in evenings)} hands, {searched} bytes, and no card that does not belong there"
    )


if __name__ == "__main__":
    main()
