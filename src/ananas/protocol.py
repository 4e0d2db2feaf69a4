"""Every message on the wire, both ways, as types; the schema of these makes `web/src/protocol.ts`.

Client to server, then server to client. A command has an `id` of the sender's making: sent again under the same id,
it is answered `kept` and not done twice. `python -m ananas.protocol` prints the JSON Schema.
"""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any, Final, Literal, get_args

import msgspec

from ananas import fair
from ananas.coach.report import HandReview, Hint, Puzzle, PuzzleAnswer
from ananas.game.rules import RuleSet
from ananas.game.secret import Discreet
from ananas.game.view import HandView
from ananas.refused import Code, Refused
from ananas.table.account import Account
from ananas.table.events import VoidReason
from ananas.table.view import Phrase, TableView

MAX_MESSAGE_BYTES: Final = 4096
"""The longest message a client may send."""

# In Python `$` also stands before a last line feed; in other languages the look ahead changes nothing.
CommandId = Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9_-]{8,64}(?!\n)$")]
HandNumber = Annotated[int, msgspec.Meta(ge=1, le=1_000_000_000)]
StreetNumber = Annotated[int, msgspec.Meta(ge=1, le=9)]
SeatNumber = Annotated[int, msgspec.Meta(ge=0, le=3)]
Chips = Annotated[int, msgspec.Meta(ge=1, le=1_000_000)]
BotName = Literal["kiwi", "mango", "papaya", "ananas"]
PlacementText = Annotated[str, msgspec.Meta(max_length=80)]


class ClientMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, tag_field="type"):
    """Anything a client sends over the socket of a table."""


class Sit(ClientMessage, frozen=True, kw_only=True, tag="sit"):
    """Take the named seat, or the first free one, with so many chips, or the least that may be brought."""

    id: CommandId
    seat: SeatNumber | None = None
    buy_in: Chips | None = None


class Leave(ClientMessage, frozen=True, kw_only=True, tag="leave"):
    """Give up the seat: at once between matches, after this match otherwise."""

    id: CommandId


class SitOut(ClientMessage, frozen=True, kw_only=True, tag="sit-out"):
    """Keep the seat without playing, until one returns; between matches."""

    id: CommandId


class Ready(ClientMessage, frozen=True, kw_only=True, tag="ready"):
    """Play the match to come, whose first hand is named; `always` answers for the later ones too."""

    id: CommandId
    hand: HandNumber
    always: bool = False


class Always(ClientMessage, frozen=True, kw_only=True, tag="always"):
    """Let the table answer Ready before later matches, or no longer; the match to come now is not answered for."""

    id: CommandId
    on: bool


class Return(ClientMessage, frozen=True, kw_only=True, tag="return"):
    """Come back from sitting out, or stay after having asked to leave."""

    id: CommandId


class TopUp(ClientMessage, frozen=True, kw_only=True, tag="top-up"):
    """Bring chips, so that the stack becomes `to`."""

    id: CommandId
    to: Chips


class GoOn(ClientMessage, frozen=True, kw_only=True, tag="go-on"):
    """Have seen the showdown of this hand; the next hand of the match may begin."""

    id: CommandId
    hand: HandNumber


class Waive(ClientMessage, frozen=True, kw_only=True, tag="waive"):
    """Give up one's own right to Fantasyland where it is the only one, which ends the match."""

    id: CommandId


class Confirm(Discreet, ClientMessage, frozen=True, kw_only=True, tag="confirm"):
    """Lay a street, finally: the turn it is for and the placement as text."""

    told = ("id", "hand", "street")

    id: CommandId
    hand: HandNumber
    street: StreetNumber
    placement: PlacementText


class Break(ClientMessage, frozen=True, kw_only=True, tag="break"):
    """Of the host: stop the game for everybody, all times standing, or let it go on."""

    id: CommandId
    on: bool


class Remove(ClientMessage, frozen=True, kw_only=True, tag="remove"):
    """Of the host: take a bot, or somebody who is away, off his seat; in a match when it ends."""

    id: CommandId
    seat: SeatNumber


class SeatBot(ClientMessage, frozen=True, kw_only=True, tag="seat-bot"):
    """Of the host: let a bot sit down, the named one or the first that is free, on the named seat or the first free one."""

    id: CommandId
    bot: BotName | None = None
    seat: SeatNumber | None = None


class PassHost(ClientMessage, frozen=True, kw_only=True, tag="pass-host"):
    """Of the host: make somebody else who sits here the host."""

    id: CommandId
    seat: SeatNumber


class ChangeRules(ClientMessage, frozen=True, kw_only=True, tag="change-rules"):
    """Of the host, between matches: play by a named set, and the rules that differ from it, as text by name."""

    id: CommandId
    rules: Annotated[str, msgspec.Meta(max_length=40)]
    set: dict[str, Annotated[str, msgspec.Meta(max_length=400)]] = {}


class Publish(ClientMessage, frozen=True, kw_only=True, tag="publish"):
    """Of the host: show the table among the open tables, or no longer."""

    id: CommandId
    on: bool


class Say(ClientMessage, frozen=True, kw_only=True, tag="say"):
    """Say a phrase to everybody at the table; it is not kept, and not answered unless it is refused."""

    phrase: Phrase


class TakeOver(ClientMessage, frozen=True, kw_only=True, tag="take-over"):
    """Play one's seat from this window, and from no other any more."""


class CommitSeed(ClientMessage, frozen=True, kw_only=True, tag="commit-seed"):
    """Bind oneself to a seed of the shuffle, once the decks of the hand to come are sealed."""

    id: CommandId
    hand: HandNumber
    commitment: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{64}(?!\n)$")]


class OpenSeed(Discreet, ClientMessage, frozen=True, kw_only=True, tag="open-seed"):
    """Tell the seed one is bound to, once the hand is called."""

    id: CommandId
    hand: HandNumber
    seed: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f]{32}(?!\n)$")]


class Echo(ClientMessage, frozen=True, kw_only=True, tag="echo"):
    """Answer a `pong` at once with its probe, by which the room measures how long that takes."""

    probe: Annotated[int, msgspec.Meta(ge=0)]


class Draft(Discreet, ClientMessage, frozen=True, kw_only=True, tag="draft"):
    """Where the cards lie before they are confirmed; not kept, only remembered while the room runs."""

    told = ("hand", "street")

    hand: HandNumber
    street: StreetNumber
    placement: PlacementText


class Ping(ClientMessage, frozen=True, kw_only=True, tag="ping"):
    """Is somebody there? Answered `pong`; to be sent at least every five seconds."""


AnyClientMessage = (
    Sit
    | Leave
    | SitOut
    | Ready
    | Always
    | Return
    | TopUp
    | GoOn
    | Waive
    | Confirm
    | Break
    | Remove
    | SeatBot
    | PassHost
    | ChangeRules
    | Publish
    | CommitSeed
    | OpenSeed
    | Say
    | TakeOver
    | Draft
    | Echo
    | Ping
)


class ServerMessage(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Anything the server sends over the socket of a table."""


class View(ServerMessage, frozen=True, kw_only=True, tag="view"):
    """The whole table as this viewer sees it; `version` orders views, an older one is to be dropped.

    `elsewhere`: his seat is played from another window, so that he may do nothing here but take it over.
    """

    version: int
    view: TableView
    elsewhere: bool = False


class Kept(ServerMessage, frozen=True, kw_only=True, tag="kept"):
    """The command is durable, as this version of the table; also the answer to a duplicate."""

    id: str
    version: int


class RefusedMessage(ServerMessage, frozen=True, kw_only=True, tag="refused"):
    """Nothing was done. `id` is the command's, null where it could not be read; `text` is the reason in English."""

    id: str | None
    code: Code
    args: dict[str, str | int]
    text: str


class Pong(ServerMessage, frozen=True, kw_only=True, tag="pong"):
    """Somebody is there; `probe` is to be sent back at once as `echo`."""

    probe: int


class OpenedCards(ServerMessage, frozen=True, kw_only=True, tag="opened"):
    """Cards of the hand that this viewer may see since the last such message, and by what they can be checked.

    Sent on sockets that were opened with `proof=1`.
    """

    proof: fair.Proof


AnyServerMessage = View | Kept | RefusedMessage | Pong | OpenedCards

CLIENT_MESSAGES: Final = get_args(AnyClientMessage)
SERVER_MESSAGES: Final = get_args(AnyServerMessage)


# -- answers over HTTP that the client reads as it reads views


class HandSide(msgspec.Struct, frozen=True, kw_only=True):
    """One player of a finished hand; `points` as counted, `won` in chips; `fantasyland`: whether he laid it in it."""

    seat: int
    name: str
    points: int
    won: int
    foul: bool
    fantasyland: bool


class HandSummary(msgspec.Struct, frozen=True, kw_only=True):
    """A finished hand in a list; `at`: when it was dealt, in milliseconds since 1970, UTC. `sides` in order of play.

    `you`: the asker's seat in it, null where he did not play it.
    """

    number: int
    match: int
    at: int
    sides: tuple[HandSide, ...]
    you: int | None


class VoidedHand(msgspec.Struct, frozen=True, kw_only=True):
    """A hand that does not count, why, and when; `root`: to what its deal was bound, null where it was not."""

    number: int
    at: int
    reason: VoidReason
    root: str | None


class HandList(msgspec.Struct, frozen=True, kw_only=True):
    """The finished hands of a table, and those that do not count, the last one first."""

    table: str
    name: str
    hands: tuple[HandSummary, ...]
    voided: tuple[VoidedHand, ...]


class ReplayStep(msgspec.Struct, frozen=True, kw_only=True):
    """The hand as the viewer saw it after something had happened.

    `what`: the cards were dealt, `seat` has laid `street` himself, the table has laid it for him, all was counted.
    """

    what: Literal["dealt", "laid", "laid-for", "counted"]
    seat: int | None
    street: int | None
    hand: HandView


class HandReplay(msgspec.Struct, frozen=True, kw_only=True):
    """A finished hand, step by step, as one viewer may know it; `names` in order of play, as in a table's view.

    `table`: its id, null where the hand is seen by a link that was shared. `last`: the number of the last finished hand
    of the table, to step from hand to hand; null likewise.
    """

    table: str | None
    name: str
    number: int
    match: int
    at: int
    rules: RuleSet
    you: int | None
    names: tuple[str, ...]
    last: int | None
    steps: tuple[ReplayStep, ...]


ANSWERS: Final = (HandList, HandReplay, Account, HandReview, Hint, Puzzle, PuzzleAnswer)

_decoder: Final = msgspec.json.Decoder(AnyClientMessage)
_encoder: Final = msgspec.json.Encoder()
_KNOWN: Final = ", ".join(str(kind.__struct_config__.tag) for kind in CLIENT_MESSAGES)


def decode(data: bytes | str) -> AnyClientMessage:
    """Read one message of a client.

    >>> decode(b'{"type":"ready","id":"command-1","hand":12}')
    Ready(id='command-1', hand=12, always=False)

    Raises `Refused`: `too-large` before anything is read, `bad-json`, `unknown-type` or `bad-field`.
    """
    if isinstance(data, str):
        try:
            data = data.encode()
        except UnicodeEncodeError:
            raise Refused("bad-json") from None
    if len(data) > MAX_MESSAGE_BYTES:
        raise Refused("too-large", size=len(data), limit=MAX_MESSAGE_BYTES)
    try:
        return _decoder.decode(data)
    except msgspec.ValidationError as error:
        if "$.type" in str(error) or "required field `type`" in str(error):
            raise Refused("unknown-type", known=_KNOWN) from None
        raise Refused("bad-field", detail=str(error)[:200]) from None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        raise Refused("bad-json") from None


def encode(message: AnyServerMessage) -> bytes:
    """Write one message of the server.

    >>> encode(Kept(id="command-1", version=7))
    b'{"type":"kept","id":"command-1","version":7}'
    """
    return _encoder.encode(message)


def refusal(reason: Refused, command_id: str | None) -> RefusedMessage:
    """The message that carries a refusal to the one who asked."""
    return RefusedMessage(id=command_id, code=reason.code, args=reason.args_by_name, text=str(reason))


def schema() -> dict[str, Any]:
    """The JSON Schema of both directions, from which the client's types are made."""
    _, components = msgspec.json.schema_components(
        [AnyClientMessage, AnyServerMessage, *ANSWERS], ref_template="#/definitions/{name}"
    )
    return {
        "title": "Protocol",
        "type": "object",
        "properties": {
            "client": {"$ref": "#/definitions/AnyClientMessage"},
            "server": {"$ref": "#/definitions/AnyServerMessage"},
            "answer": {"oneOf": [{"$ref": f"#/definitions/{kind.__name__}"} for kind in ANSWERS]},
        },
        "required": ["client", "server", "answer"],
        "additionalProperties": False,
        "definitions": components
        | {
            "AnyClientMessage": {"oneOf": [{"$ref": f"#/definitions/{kind.__name__}"} for kind in CLIENT_MESSAGES]},
            "AnyServerMessage": {"oneOf": [{"$ref": f"#/definitions/{kind.__name__}"} for kind in SERVER_MESSAGES]},
        },
    }


if __name__ == "__main__":
    json.dump(schema(), sys.stdout, indent=2)
