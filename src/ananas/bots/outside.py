"""A bot that is a program of its own, in any language: a line of JSON in, a placement as a line of text out.

What belongs here: starting the program, asking it, and telling in one way whatever may be wrong with it: that it does
not start, dies, hangs, says nothing that can be read or laid, or speaks without being asked. What does not: what is
laid instead, which is the business of whoever asked. `docs/bots.md` describes the lines.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import selectors
import shlex
import shutil
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from typing import Final, Self

import msgspec

from ananas.game.board import Placement
from ananas.game.cards import print_cards
from ananas.game.rules import RuleSet
from ananas.game.view import HandView, PlayerView
from ananas.refused import Refused

PREFIX: Final = "cmd:"
"""What a name begins with that is a command line."""
MAX_LINE: Final = 256
"""The longest answer, in bytes."""
START_SECONDS: Final = 10.0
"""So much longer than others may the first answer of a program take that has just been started."""

_END_SECONDS: Final = 0.5
_HEAR_SECONDS: Final = 0.05
"""So long a program that has just been started is listened to before it is asked."""
_LAST_WORDS: Final = 2000
_READ: Final = 65_536


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """The line that a program is given: the rules, the hand as its seat may see it, how many seconds it has."""

    rules: RuleSet
    hand: HandView
    seconds: float


class OutsideBot:
    """A bot that asks a program.

    The program is started at the first question and kept; after a failure it is killed, and started anew at the next
    question, so that a late answer is never taken for that to another question. `name`: what it is called where a
    failure is told of. Use it as a context manager, or `close` it.
    """

    def __init__(self, command: Sequence[str], rules: RuleSet, name: str = "") -> None:
        self._command: Final = tuple(command)
        self._rules: Final = rules
        self._name: Final = name or shlex.join(command)
        self._program: _Program | None = None

    @classmethod
    def named(cls, name: str, rules: RuleSet) -> OutsideBot:
        """The bot that `cmd:COMMAND` names; nothing is started yet.

        >>> OutsideBot.named("cmd:there-is-no-such-program 1", RuleSet())
        Traceback (most recent call last):
        ananas.refused.Refused: the bot cmd:there-is-no-such-program 1 failed: there is no program there-is-no-such-program

        Raises `Refused("bot-failed")` where this is no command line, or there is no such program.
        """
        try:
            command = shlex.split(name.removeprefix(PREFIX))
        except ValueError as error:
            raise _failed(name, f"its command line cannot be read: {error}") from None
        if not command:
            raise _failed(name, "there is no command after cmd:")
        if shutil.which(command[0]) is None:
            raise _failed(name, f"there is no program {command[0]}")
        return cls(command, rules, name)

    @property
    def running(self) -> bool:
        """Whether the program has been started, and nothing is known to be wrong with it."""
        return self._program is not None

    def place(self, view: HandView, limit: float) -> Placement:
        """Ask the program; what it answers can be laid.

        Raises `Refused("bot-failed")`, and `ValueError` when it is not the turn of the view's seat.
        """
        me = next((player for player in view.players if player.seat == view.you and player.acting), None)
        if me is None:
            raise ValueError(f"seat {view.you} has nothing to lay")
        line = msgspec.json.encode(Question(rules=self._rules, hand=view, seconds=limit)) + b"\n"
        allowed = limit
        try:
            if self._program is None:
                allowed += START_SECONDS
                self._program = _Program(self._command)
            return _read(self._program.ask(line, allowed), me)
        except _WentWrong as wrong:
            words = self._program.last_words() if self._program else ""
            self._kill()
            raise _failed(self._name, f"{wrong}; it said: {words}" if words else str(wrong)) from None
        except BaseException:
            self._kill()
            raise

    def close(self) -> None:
        """Let the program end; one that does not is killed."""
        if self._program is not None:
            self._program.end(_END_SECONDS)
            self._program = None

    def _kill(self) -> None:
        if self._program is not None:
            self._program.end(0)
            self._program = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class _WentWrong(Exception):
    """What is wrong with the program, as the end of a sentence."""


def _failed(name: str, detail: str) -> Refused:
    return Refused("bot-failed", bot=_printable(name)[:120], detail=_printable(detail)[:400])


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _read(line: bytes, me: PlayerView) -> Placement:
    """The placement of an answer, which can be laid; raises `_WentWrong`."""
    try:
        text = line.decode().strip()
        if text.startswith('"'):
            text = msgspec.json.decode(text, type=str)
        placement = Placement.parse(text)
        _check(placement, me)
    except (UnicodeDecodeError, msgspec.DecodeError):
        raise _WentWrong("its answer is neither plain text in UTF-8 nor a JSON string") from None
    except Refused as refused:
        raise _WentWrong(f"its answer cannot be laid: {refused}") from None
    return placement


def _check(placement: Placement, me: PlayerView) -> None:
    """Refuse, as the hand would, what cannot be laid."""
    foreign = [card for card in placement.cards if card not in me.dealt]
    if foreign:
        raise Refused("cards-not-yours", cards=print_cards(foreign), dealt=print_cards(me.dealt))
    if len(placement.laid) != me.to_lay:
        raise Refused("wrong-count", placed=len(placement.laid), needed=me.to_lay)
    me.board.place(placement)
    missing = [card for card in me.dealt if card not in placement.cards]
    if missing:
        raise Refused("not-discarded", cards=print_cards(missing))


class _Program:
    """A running program, and the three pipes to it. Nothing waits for it beyond the time it is given."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            # In a session of its own: Ctrl-C is not for it, and it can be ended together with what it has started.
            self._process: Final = subprocess.Popen(  # noqa: S603
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                start_new_session=True,
            )
        except OSError as error:
            raise _WentWrong(f"it could not be started: {error.strerror}") from None
        self._pipes: Final = [
            pipe for pipe in (self._process.stdin, self._process.stdout, self._process.stderr) if pipe
        ]
        self._in, self._out, self._err = (pipe.fileno() for pipe in self._pipes)
        self._selector: Final = selectors.DefaultSelector()
        for pipe in (self._in, self._out, self._err):
            os.set_blocking(pipe, False)
        for pipe in (self._out, self._err):
            self._selector.register(pipe, selectors.EVENT_READ)
        self._said = b""
        self._noise = b""
        self._asked = False

    def ask(self, line: bytes, limit: float) -> bytes:
        """Give it a line and get the next one, without its end; raises `_WentWrong`."""
        deadline = time.monotonic() + limit
        self._hear()
        rest = memoryview(line)
        self._selector.register(self._in, selectors.EVENT_WRITE)
        try:
            while b"\n" not in self._said:
                left = deadline - time.monotonic()
                if left <= 0:
                    raise _WentWrong(f"it did not answer within {limit:g} seconds")
                if self._in in self._listen(left) and rest:
                    rest = rest[self._write(rest) :]
                    if not rest:
                        self._selector.unregister(self._in)
                if len(self._said) > MAX_LINE and b"\n" not in self._said[: MAX_LINE + 1]:
                    raise _WentWrong(f"its answer is longer than {MAX_LINE} bytes")
        finally:
            if rest:
                self._selector.unregister(self._in)
        # What it says while the whole question is still in the pipe is no answer to it.
        if rest or self._unread() >= len(line):
            raise _WentWrong("it answered before it had read the question")
        answer, _, self._said = self._said.partition(b"\n")
        if len(answer) > MAX_LINE:
            raise _WentWrong(f"its answer is longer than {MAX_LINE} bytes")
        return answer

    def last_words(self) -> str:
        """The last line that it wrote to stderr."""
        with contextlib.suppress(_WentWrong):
            self._listen(0)
        lines = [line for line in self._noise.decode(errors="replace").splitlines() if line.strip()]
        return lines[-1].strip() if lines else ""

    def end(self, seconds: float) -> None:
        """Close its pipes, wait so long for its end, then kill it with all it has started."""
        self._selector.close()
        self._pipes[0].close()
        if seconds:
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._process.wait(seconds)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in self._pipes:
            pipe.close()

    def _hear(self) -> None:
        """Take in what it has said without being asked, and raise `_WentWrong` where that is something."""
        until = time.monotonic() + (0 if self._asked else _HEAR_SECONDS)
        self._asked = True
        self._listen(0)
        while not self._said and (left := until - time.monotonic()) > 0:
            self._listen(left)
        if self._said:
            raise _WentWrong("it said something without being asked; its answer is one line, all else goes to stderr")

    def _unread(self) -> int:
        """How many bytes of questions it has not taken in yet; 0 where the system does not tell."""
        count = bytearray(4)
        with contextlib.suppress(OSError):
            fcntl.ioctl(self._in, termios.FIONREAD, count)
        return int.from_bytes(count, sys.byteorder)

    def _listen(self, seconds: float) -> list[int]:
        """Take in what it says, waiting for something at most so long; the pipes that are ready."""
        ready = [key.fd for key, _ in self._selector.select(seconds)]
        if self._err in ready:
            heard = os.read(self._err, _READ)
            self._noise = (self._noise + heard)[-_LAST_WORDS:]
            if not heard:
                self._selector.unregister(self._err)
        if self._out in ready:
            heard = os.read(self._out, _READ)
            if not heard:
                raise self._ended()
            self._said += heard
        return ready

    def _write(self, line: memoryview) -> int:
        try:
            return os.write(self._in, line)
        except BrokenPipeError:
            raise self._ended() from None

    def _ended(self) -> _WentWrong:
        try:
            status = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:
            return _WentWrong("it closed its input or output")
        return _WentWrong(f"it was ended by signal {-status}" if status < 0 else f"it ended with status {status}")
