"""What the one who runs the room may set: by environment, `ANANAS_PORT=9000`, or by flags of `ananas serve`."""

from __future__ import annotations

import re
import socket
from pathlib import Path
from typing import Literal

from pydantic import Field, field_validator
from pydantic_core import PydanticCustomError
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """All settings; each is read from the environment under its name with `ANANAS_` before it.

    >>> Settings(port=9000, public_url="https://ofc.example/").address(9000)
    'https://ofc.example'
    """

    model_config = SettingsConfigDict(env_prefix="ANANAS_", frozen=True, extra="forbid")

    host: str = "0.0.0.0"  # noqa: S104  # nosec B104
    """Address to listen on."""
    port: int = Field(default=8000, ge=0, le=65535)
    """Port to listen on; 0 takes any free one."""
    database: Path = Path("ananas.sqlite")
    """File that holds tables and guests; made when missing."""
    public_url: str | None = None
    """Address that players open, for links and QR codes, where it is not that of this machine on its network."""
    open: bool = False
    """Whether to open the room in this machine's browser."""
    bot_pause: float = Field(default=1.2, ge=0, le=60)
    """About how many seconds a bot takes before it acts, so that people can follow."""
    reviews: Literal["ahead", "asked"] = "ahead"
    """Whether the coach reviews every hand as soon as it has been counted, or only when somebody asks for it."""
    creations: int = Field(default=60, ge=1)
    """How many names, tables and links one network address may make in a minute, and at once."""
    sockets: int = Field(default=200, ge=1)
    """How many sockets one network address may have open: one for each table in each browser."""

    @field_validator("public_url")
    @classmethod
    def _is_an_address(cls, value: str | None) -> str | None:
        if value is not None and not re.fullmatch(r"https?://[^/?#@\s]+/?", value):
            raise PydanticCustomError("public_url", "an address begins with http:// or https:// and has no path")
        return value

    def address(self, port: int) -> str:
        """Where players find the room that listens on `port`."""
        if self.public_url is not None:
            return self.public_url.rstrip("/")
        return _http(address_on_network() if self._everywhere else self.host, port)

    def local_address(self, port: int) -> str:
        """Where this machine finds the room that listens on `port`."""
        return _http("localhost" if self._everywhere else self.host, port)

    @property
    def _everywhere(self) -> bool:
        return self.host in {"0.0.0.0", "::"}  # noqa: S104  # nosec B104


def _http(host: str, port: int) -> str:
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def address_on_network() -> str:
    """The address of this machine as its neighbours see it, found without sending anything; without a network, its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address kept for documentation; connecting UDP sends nothing
            return str(probe.getsockname()[0])
        except OSError:
            return "127.0.0.1"
