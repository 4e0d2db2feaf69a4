"""What these tests share: rooms that run."""

from __future__ import annotations

from tests.server.conftest import house, shared

__all__ = ["house", "shared"]
