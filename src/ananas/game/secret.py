"""How a secret prints: whoever logs a hand, a deck or a table by mistake tells nobody anything."""

from __future__ import annotations

from typing import Any, ClassVar, Final

SECRET: Final = "<secret>"  # noqa: S105


class Discreet:
    """Prints as what it is, the fields that are `told`, and no more; also where rich prints it, which asks separately.

    To stand first among the bases of a class that holds cards, or what makes cards, that not everybody may see.

    >>> class Sealed(Discreet):
    ...     told = ("hand",)
    ...     hand, deck = 12, "QhJd"
    >>> Sealed()
    Sealed(hand=12, <secret>)
    """

    __slots__ = ()
    told: ClassVar[tuple[str, ...]] = ()

    def __repr__(self) -> str:
        parts = (f"{name}={getattr(self, name)!r}, " for name in self.told)
        return f"{type(self).__name__}({''.join(parts)}{SECRET})"

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        return [*((name, getattr(self, name)) for name in self.told), ("", SECRET)]
