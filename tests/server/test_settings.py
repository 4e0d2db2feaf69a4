"""Settings: one list, read from the environment, with flags of the same names over it."""

from __future__ import annotations

import inspect
import socket
from pathlib import Path

import pytest
from pydantic import ValidationError

from ananas.cli.serve import serve
from ananas.server.settings import Settings, address_on_network


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"ANANAS_{name.upper()}", raising=False)


def test_the_flags_of_serve_are_the_settings_with_the_same_defaults() -> None:
    flags = {name: flag.default for name, flag in inspect.signature(serve).parameters.items()}
    assert flags == {name: field.default for name, field in Settings.model_fields.items()}
    for name, flag in inspect.signature(serve).parameters.items():
        assert f"ANANAS_{name.upper()}" in repr(flag.annotation)


def test_the_environment_is_read_and_what_is_given_goes_over_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANANAS_PORT", "9000")
    monkeypatch.setenv("ANANAS_DATABASE", "/data/room.sqlite")
    assert Settings().port == 9000
    assert Settings().database == Path("/data/room.sqlite")
    assert Settings(port=9001).port == 9001


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("port", 70_000),
        ("port", "many"),
        ("public_url", "ofc.example"),
        ("public_url", "https://ofc.example/room"),
        ("bot_pause", -1),
        ("creations", 0),
        ("sockets", 0),
        ("colour", "green"),
    ],
)
def test_what_makes_no_sense_is_refused(name: str, value: object) -> None:
    with pytest.raises(ValidationError, match=name):
        Settings.model_validate({name: value})


@pytest.mark.parametrize(
    ("given", "address", "local"),
    [
        ({"host": "127.0.0.1"}, "http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ({"host": "::1"}, "http://[::1]:8000", "http://[::1]:8000"),
        ({"host": "0.0.0.0"}, f"http://{address_on_network()}:8000", "http://localhost:8000"),
        ({"public_url": "https://ofc.example/"}, "https://ofc.example", "http://localhost:8000"),
    ],
)
def test_where_the_room_is_found(given: dict[str, str], address: str, local: str) -> None:
    settings = Settings.model_validate(given)
    assert (settings.address(8000), settings.local_address(8000)) == (address, local)


def test_without_a_network_the_address_is_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    class Offline(socket.socket):
        def connect(self, address: object) -> None:
            raise OSError("Network is unreachable")

    monkeypatch.setattr(socket, "socket", Offline)
    assert address_on_network() == "127.0.0.1"
