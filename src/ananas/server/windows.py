"""Windows: from which of a player's windows his seat is played.

One window controls it, by the socket that came from it last: the one before, as of a page that was loaded again, may be
hung. Any other window looks on until he takes the seat over there, or until the one that controls it is closed. What
belongs here: which window controls. What does not: who has a seat at all.
"""

from __future__ import annotations

from typing import Final

from ananas.server.viewers import Viewer

RETURN_MS: Final = 10_000
"""So long a window that was closed may come back to a seat which another one has only kept for it meanwhile."""


class Windows:
    """Which window controls each player's seat, whether or not he has one; times are the room's milliseconds."""

    def __init__(self) -> None:
        self._open: Final[dict[str, list[Viewer]]] = {}
        """By player, what he opened or used last at the end."""
        self._controls: Final[dict[str, str]] = {}
        self._claims: Final[dict[str, dict[str, int]]] = {}
        """By player, the windows that may come back to the seat, and until when."""

    def come(self, viewer: Viewer, now: int) -> None:
        """A socket has been opened: its window controls if it is his first, or has been closed only just now."""
        player = viewer.player
        if player is None:
            return
        there = self._open.get(player, [])
        if any(each.window == viewer.window and each.came > viewer.came for each in there):
            there.insert(0, viewer)  # who it is was found out too late: the window has called again since
            return
        # What is left of the same window is perhaps hung: it is the last to be given the seat.
        before = sorted(there, key=lambda each: each.window != viewer.window)
        self._open[player] = [*before, viewer]
        until = self._claims.get(player, {}).pop(viewer.window, 0)
        if player not in self._controls or now < until:
            self._controls[player] = viewer.window

    def go(self, viewer: Viewer, now: int) -> None:
        """A socket has been closed: if it controlled, the other window that he opened or used last does so now."""
        player = viewer.player
        if player is None or viewer not in self._open.get(player, ()):
            return
        controlled = not self.elsewhere(viewer)
        rest = self._open[player]
        rest.remove(viewer)
        if not rest:
            for each in (self._open, self._controls, self._claims):
                each.pop(player, None)
        elif controlled:
            others = [each for each in rest if each.window != viewer.window]
            if others:  # else a socket of the same window has been left behind
                self._controls[player] = others[-1].window
                self._claims.setdefault(player, {})[viewer.window] = now + RETURN_MS

    def take(self, viewer: Viewer) -> None:
        """He plays from here: this socket controls, and nothing is kept for another window any more."""
        player = viewer.player
        if player is None or viewer not in self._open.get(player, ()):
            return
        self._open[player].remove(viewer)
        self._open[player].append(viewer)
        self._controls[player] = viewer.window
        self._claims.pop(player, None)

    def sit(self, viewer: Viewer, now: int) -> None:
        """He has sat down from this window: it controls, or does so when it is back, if it has been closed since."""
        player = viewer.player
        if player is None or player not in self._open:
            return
        if any(each.window == viewer.window for each in self._open[player]):
            self._controls[player] = viewer.window
            self._claims.pop(player, None)
        else:
            self._claims[player] = {viewer.window: now + RETURN_MS}

    def elsewhere(self, viewer: Viewer) -> bool:
        """Whether another socket than this one controls."""
        controls = None if viewer.player is None else self._controls.get(viewer.player)
        if controls is None:
            return False
        return viewer is not next(each for each in reversed(self.of(viewer.player)) if each.window == controls)

    def of(self, player: str | None) -> tuple[Viewer, ...]:
        """All that a player has open."""
        return () if player is None else tuple(self._open.get(player, ()))
