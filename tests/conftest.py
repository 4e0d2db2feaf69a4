"""What holds for every test."""

from __future__ import annotations

from hypothesis import settings

# How long one example takes says something about the machine and what else it does, not about the code.
settings.register_profile("ananas", deadline=None)
settings.load_profile("ananas")
