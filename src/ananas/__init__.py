"""Open-face Chinese poker "Pineapple": rules, table and bots as a library; the room is `ananas serve`."""

from ananas.version import __version__

__all__ = ["__version__"]
