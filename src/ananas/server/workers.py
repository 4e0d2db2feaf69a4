"""Processes in which long thoughts are thought, so that none of them ever holds the room up.

Each process takes one piece of work at a time and is watched: one that hangs is killed, one that died is started anew.
What belongs here: processes, and in which order they take work. What does not: what the work is.
"""

from __future__ import annotations

import asyncio
import ctypes
import itertools
import multiprocessing
import os
import pickle
import platform
import queue
import signal
import struct
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Final, TypeVar, cast

import structlog

from ananas.refused import Refused

T = TypeVar("T")

START_SECONDS: Final = 60.0
"""A process that is not ready for work by then is taken for hung; on a busy machine it may take long."""

_log: Final = structlog.get_logger()


_SCHED_SETATTR: Final = {"x86_64": 314, "aarch64": 274}
_KEEP_POLICY: Final = 8
_TURN_NANOSECONDS: Final = 200_000


def take_short_turns(nanoseconds: int = _TURN_NANOSECONDS) -> None:
    """Let this process have the processor sooner, in turns as short as that; 0 takes turns as everybody does.

    Linux from 6.12 on lets who takes short turns break into a long one. Without it the room would wait, at each message, until
    the turn of a thought is over. Where there is no such thing nothing happens: a lower priority alone has to do.
    """
    number = _SCHED_SETATTR.get(platform.machine())
    if sys.platform != "linux" or number is None:
        return
    # struct sched_attr, told in full: size, policy, flags, nice, priority, runtime, deadline, period, two clamps
    told = struct.pack("=IIQiIQQQII", 56, 0, _KEEP_POLICY, os.nice(0), 0, nanoseconds, 0, 0, 0, 0)
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).syscall(number, 0, told, 0)


def spare_cores() -> int:
    """How many processes may think at once: one core is the room's alone, where there are several."""
    return max(1, (os.cpu_count() or 1) - 1)


class Broken(Exception):
    """The work was not done: it took too long, it failed, its process died, or the room is closing."""


class Job:
    """A piece of work that waits for a process, or is being done.

    `urgent`: the lower, the sooner it is begun; among equals the one that came first. It is looked at whenever a process
    is free, since somebody may have begun to wait for it.
    """

    def __init__(
        self,
        work: tuple[Callable[..., Any], tuple[Any, ...]],
        limit: float,
        urgent: Callable[[], int],
        number: int,
    ) -> None:
        self.work: Final = work
        self.limit: Final = limit
        self.urgent: Final = urgent
        self.number: Final = number
        self.future: Final[asyncio.Future[Any]] = asyncio.get_running_loop().create_future()


class Workers:
    """Up to so many processes, started when there is work for them.

    `what`: what they are called in the log. `works`: what they will be asked to do; a process is ready once it has loaded
    all that belongs to it, which takes a while and is no part of the work. `nice`: how far they stand back behind the room.
    """

    def __init__(self, what: str, count: int, works: Sequence[Callable[..., Any]] = (), nice: int = 10) -> None:
        self._what: Final = what
        self._count: Final = max(1, count)
        self._process: Final = (nice, tuple(works))
        self._waiting: Final[list[Job]] = []
        self._workers: Final[list[_Worker]] = []
        self._numbers: Final = itertools.count()
        self._closed = False

    @property
    def load(self) -> float:
        """How many pieces of work there are for each process."""
        busy = sum(worker.job is not None for worker in self._workers)
        return (len(self._waiting) + busy) / self._count

    def warm(self) -> None:
        """Start the processes, so that the first answer does not wait for it."""
        while len(self._workers) < self._count and not self._closed:
            self._start()

    async def do(self, work: Callable[..., T], *args: object, limit: float, urgent: Callable[[], int] = lambda: 0) -> T:
        """Have work done; both it and its arguments have to be such as can be sent to another process.

        `limit`: so many seconds after it was begun it is given up, and its process with it. Whoever no longer waits for
        it takes it out of the queue; what is being done is then done for nobody. Raises `Broken`, and what is `Refused`
        there is refused here.
        """
        if self._closed:
            raise Broken("closing")
        job = Job((work, args), limit, urgent, next(self._numbers))
        self._waiting.append(job)
        self._hand_out()
        try:
            return cast("T", await job.future)
        finally:
            if job in self._waiting:
                self._waiting.remove(job)

    def close(self) -> None:
        """Stop all work at once, for good."""
        self._closed = True
        for worker in self._workers:
            worker.kill()
        for job in self._waiting:
            _fail(job, "closing")
        self._waiting.clear()

    def _hand_out(self) -> None:
        while self._waiting:
            free = next((worker for worker in self._workers if worker.job is None), None)
            if free is None and len(self._workers) < self._count:
                free = self._start()
            if free is None:
                return
            job = min(self._waiting, key=lambda job: (job.urgent(), job.number))
            self._waiting.remove(job)
            if not job.future.done():
                free.take(job)

    def _start(self) -> _Worker:
        worker = _Worker(self._process, self._done, self._gone)
        self._workers.append(worker)
        return worker

    def _done(self, _worker: _Worker) -> None:
        self._hand_out()

    def _gone(self, worker: _Worker, *, hung: bool) -> None:
        if worker in self._workers:
            self._workers.remove(worker)
        if self._closed:
            return
        _log.warning("a worker hangs" if hung else "a worker died", what=self._what)
        self._hand_out()


class _Worker:
    """One process, and the thread that speaks with it: the event loop never waits for either."""

    def __init__(
        self,
        process: tuple[int, tuple[Callable[..., Any], ...]],
        done: Callable[[_Worker], None],
        gone: Callable[..., None],
    ) -> None:
        self.job: Job | None = None
        self._loop: Final = asyncio.get_running_loop()
        self._done: Final = done
        self._gone: Final = gone
        self._ready = False
        self._hung = False
        self._killed = threading.Event()
        self._process: SpawnProcess | None = None
        self._work: Final[queue.SimpleQueue[bytes | None]] = queue.SimpleQueue()
        self._late = self._loop.call_later(START_SECONDS, self._is_late)
        threading.Thread(target=self._speak, args=process, name="worker", daemon=True).start()

    def take(self, job: Job) -> None:
        """Do this next."""
        self.job = job
        if self._ready:
            self._watch(job)
        self._work.put(pickle.dumps(job.work))

    def kill(self) -> None:
        """End it at once."""
        self._killed.set()
        self._late.cancel()
        self._work.put(None)
        if self._process is not None:
            self._process.kill()
        if self.job is not None:
            _fail(self.job, "closing")

    # -- in the event loop

    def _watch(self, job: Job) -> None:
        self._late.cancel()
        self._late = self._loop.call_later(job.limit, self._is_late)

    def _is_late(self) -> None:
        self._hung = True
        self._killed.set()
        if self._process is not None:
            self._process.kill()

    def _is_ready(self) -> None:
        self._ready = True
        self._late.cancel()
        if self.job is not None:
            self._watch(self.job)

    def _answered(self, answer: bytes) -> None:
        job, self.job = self.job, None
        self._late.cancel()
        if job is not None and not job.future.done():
            kind, found = pickle.loads(answer)  # noqa: S301  # nosec B301
            match kind:
                case "done":
                    job.future.set_result(found)
                case "refused":
                    code, args = found
                    job.future.set_exception(Refused(code, **args))
                case _:
                    _fail(job, found)
        self._done(self)

    def _ended(self) -> None:
        self._late.cancel()
        job, self.job = self.job, None
        if job is not None:
            _fail(job, "hangs" if self._hung else "died")
        self._gone(self, hung=self._hung)

    # -- in the thread

    def _speak(self, nice: int, works: tuple[Callable[..., Any], ...]) -> None:
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        try:
            process = context.Process(target=_work, args=(theirs, nice, works), daemon=True)
            process.start()
            self._process = process
            theirs.close()
            if self._killed.is_set():  # while it was started
                process.kill()
            with suppress(EOFError, OSError):
                ours.recv_bytes()
                self._tell(self._is_ready)
                while (work := self._work.get()) is not None:
                    ours.send_bytes(work)
                    self._tell(self._answered, ours.recv_bytes())
            process.kill()
            process.join()
        except Exception as error:  # noqa: BLE001
            _log.error("a worker could not be started", error=type(error).__name__)
        finally:
            ours.close()
            self._tell(self._ended)

    def _tell(self, what: Callable[..., None], *args: object) -> None:
        with suppress(RuntimeError):  # the loop is gone: nobody waits any more
            self._loop.call_soon_threadsafe(what, *args)


def _fail(job: Job, why: str) -> None:
    if not job.future.done():
        job.future.set_exception(Broken(why))


# -- in the process


def _work(wire: Connection, nice: int, works: object) -> None:  # noqa: ARG001
    """Take work until the room is gone; leave Ctrl-C to the room, and the machine to everybody else first.

    What it is to do has been loaded by being sent here.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError):
        os.nice(nice)
    take_short_turns(0)
    threading.Thread(target=_follow_room, daemon=True).start()
    with suppress(EOFError, OSError):
        wire.send_bytes(b"ready")
        while True:
            wire.send_bytes(_answer(wire.recv_bytes()))


def _answer(sent: bytes) -> bytes:
    try:
        work, args = pickle.loads(sent)  # noqa: S301  # nosec B301
        return pickle.dumps(("done", work(*args)))
    except Refused as reason:
        return pickle.dumps(("refused", (reason.code, reason.args_by_name)))
    except Exception as error:  # noqa: BLE001
        # Without its words: they might name cards.
        return pickle.dumps(("failed", type(error).__name__))


def _follow_room() -> None:
    room = multiprocessing.parent_process()
    if room is not None:
        room.join()
        os._exit(1)
