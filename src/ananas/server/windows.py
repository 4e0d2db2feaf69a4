"""Windows: from which of a player's windows his seat is played.

One window controls it, by the socket that it opened last: the one before, as of a page that was loaded again, may be
hung, and whatever comes from it comes too late. Any other window looks on until he takes the seat over there, or until
the one that controls it is closed; then another one keeps the seat for it, and it has it again if it is back soon,
unless he has played from another one meanwhile. What belongs here: which window controls. What does not: who has a seat
at all.
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
        """By player, the windows that may come back to the seat, and until when; each stood in for the one before."""
        self._away: Final[dict[str, int]] = {}
        """Until when the claims of those are remembered who have nothing open, the first to be forgotten first."""

    def come(self, viewer: Viewer, now: int) -> None:
        """A socket has been opened: its window controls if it is his first, or has been closed only just now."""
        self._forget(now)
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
        self._away.pop(player, None)
        has_claim = self._redeem(player, viewer.window, now)
        if player not in self._controls or has_claim:
            self._controls[player] = viewer.window

    def go(self, viewer: Viewer, now: int) -> None:
        """A socket has been closed: if it controlled, the other window that he opened or used last does so now."""
        self._forget(now)
        player = viewer.player
        if player is None or viewer not in self._open.get(player, ()):
            return
        controlled = not self.elsewhere(viewer)
        rest = self._open[player]
        rest.remove(viewer)
        if not rest:
            # The network of a whole device may be gone: which window comes back first says nothing.
            del self._open[player], self._controls[player]
            self._claim(player, viewer.window, now)
            self._away[player] = now + RETURN_MS
        elif controlled:
            others = [each for each in rest if each.window != viewer.window]
            if others:  # else a socket of the same window has been left behind
                heir = self._controls[player] = others[-1].window
                self._claim(player, viewer.window, now)
                self._redeem(player, heir, now)

    def take(self, viewer: Viewer) -> None:
        """He plays from here: this window controls, and nothing is kept for another one any more."""
        player = viewer.player
        if player is None or viewer is not self._newest(player, viewer.window):
            return
        self._open[player].remove(viewer)
        self._open[player].append(viewer)
        self._controls[player] = viewer.window
        self._claims.pop(player, None)

    def sit(self, viewer: Viewer, now: int) -> None:
        """He has sat down from this window: it controls, or does so when it is back, if it has been closed since."""
        self._forget(now)
        player = viewer.player
        if player is None:
            return
        self._claims.pop(player, None)
        if self._newest(player, viewer.window) is not None:
            self._controls[player] = viewer.window
        else:
            self._claim(player, viewer.window, now)
            if player not in self._open:
                self._away.pop(player, None)
                self._away[player] = now + RETURN_MS

    def elsewhere(self, viewer: Viewer) -> bool:
        """Whether another socket than this one controls."""
        player = viewer.player
        if player is None or player not in self._controls:
            return False
        return viewer is not self._newest(player, self._controls[player])

    def controlling(self, player: str) -> Viewer | None:
        """The socket by which he plays, if he has any open."""
        return self._newest(player, self._controls[player]) if player in self._controls else None

    def of(self, player: str | None) -> tuple[Viewer, ...]:
        """All that a player has open."""
        return () if player is None else tuple(self._open.get(player, ()))

    def _newest(self, player: str, window: str) -> Viewer | None:
        """The socket by which a window plays, if it has any: the one it has called by last."""
        sockets = (each for each in self._open.get(player, ()) if each.window == window)
        return max(sockets, key=lambda each: each.came, default=None)

    def _claim(self, player: str, window: str, now: int) -> None:
        others = self._claims.get(player, {}).items()
        kept = {each: until for each, until in others if now < until and each != window}
        self._claims[player] = {**kept, window: now + RETURN_MS}

    def _redeem(self, player: str, window: str, now: int) -> bool:
        """Whether a window may come back to the seat; those that only stood in for it may do so no longer then."""
        claims = self._claims.get(player, {})
        if now >= claims.get(window, 0):
            claims.pop(window, None)
            return False
        order = list(claims)
        for each in order[order.index(window) :]:
            del claims[each]
        return True

    def _forget(self, now: int) -> None:
        """Forget who has had nothing open for so long that no claim of his is left."""
        while (player := next(iter(self._away), None)) is not None and self._away[player] <= now:
            del self._away[player]
            self._claims.pop(player, None)
