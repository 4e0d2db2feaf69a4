"""Docs fail when they lie: links, commands, messages, refusals and settings are held against the code."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from ananas import protocol
from ananas.cli.main import app as command_line
from ananas.game.notation import Position, read_history, write_history
from ananas.game.notation.reading import FIELDS, REQUIRED
from ananas.refused import REASONS, Refused
from ananas.server import app, room, viewers
from ananas.server.settings import Settings

ROOT = Path(__file__).parents[1]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "bench").glob("*.md")])
READMES = {name: (ROOT / name).read_text() for name in ("README.md", "README.ru.md")}
PROTOCOL = (ROOT / "docs" / "protocol.md").read_text()
RUNNING = (ROOT / "docs" / "running.md").read_text()


def _blocks(page: str, language: str) -> list[str]:
    """A page's examples in a language."""
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_and_paths_lead_somewhere(page: Path) -> None:
    text = page.read_text()
    for target, anchor in re.findall(r"\]\(([^)#]*)(?:#([^)]*))?\)", text):
        if target.startswith(("https://", "mailto:")):
            continue
        found = page.parent / target if target else page
        assert found.exists(), target
        headings = re.findall(r"^#+ (.*)$", found.read_text(), re.MULTILINE) if anchor else []
        assert not anchor or anchor in {re.sub(r"[^\w -]", "", h).lower().replace(" ", "-") for h in headings}, anchor
    for path in re.findall(r"`((?:src|web|tests|docs|bench|requirements)/[\w./-]+)`", text):
        assert (ROOT / path).exists(), path


def test_the_readmes_name_the_two_commands_and_the_gate_calls_the_second() -> None:
    for page in READMES.values():
        assert "make run" in page
        assert "make test" in page
    assert "make test" in (ROOT / ".ci" / "run").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"`make (\w+)", "".join(page.read_text() for page in PAGES)):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("readme", READMES)
def test_the_commands_in_a_readme_are_there(readme: str) -> None:
    """Where `make` installs, and each line of a terminal with its options."""
    lines = [line for block in _blocks(READMES[readme], "sh") for line in block.splitlines()]
    assert "BIN := .venv/bin\n" in (ROOT / "Makefile").read_text()
    assert lines.index(". .venv/bin/activate") < min(i for i, line in enumerate(lines) if line.startswith("ananas"))
    assert (Path(sys.executable).parent / "ananas").is_file()
    ours = [line for line in lines if not line.startswith("make ") and "activate" not in line]
    assert {line.split()[1] for line in ours} >= {"score", "replay", "play"}
    for line in ours:
        program, *words = shlex.split(line)
        assert program == "ananas"
        found = CliRunner().invoke(command_line, [*words, "--help"])
        assert found.exit_code == 0, line
        if words[0] == "score":
            assert CliRunner().invoke(command_line, words).exit_code == 0, line


@pytest.mark.parametrize("readme", READMES)
def test_a_readmes_python_runs(readme: str, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = _blocks(READMES[readme], "python")
    assert blocks
    for block in blocks:
        exec(compile(block, readme, "exec"), {})  # the page's own example
    assert capsys.readouterr().out.strip() in READMES[readme]


def test_the_readmes_tell_the_same() -> None:
    """Chapter by chapter as many steps, examples and links, and each leads to the other."""
    english, russian = READMES.values()
    assert "](README.ru.md)" in english
    assert "](README.md)" in russian
    chapters = [re.split(r"^## .*$", page, flags=re.MULTILINE) for page in (english, russian)]
    assert len(chapters[0]) == len(chapters[1])
    for ours, theirs in zip(*chapters, strict=True):
        for part in (r"^(?:\d\.|-) ", r"^```", r"\]\((?!docs/rules|README)"):
            assert len(re.findall(part, ours, re.MULTILINE)) == len(re.findall(part, theirs, re.MULTILINE)), ours[:60]
    assert _blocks(english, "python") == _blocks(russian, "python")


@pytest.mark.parametrize(("readme", "language"), [("README.md", "en"), ("README.ru.md", "ru")])
def test_what_a_readme_quotes_from_the_screen_stands_there(readme: str, language: str) -> None:
    """Buttons and pages are called what the client calls them."""
    languages = ROOT / "web" / "src" / "languages"
    words = "".join(path.read_text() for path in sorted(languages.rglob(f"{language}*.ts")))
    told = re.sub(r"```.*?```|`[^`]*`", "", READMES[readme], flags=re.DOTALL)
    quoted = re.findall(r'"([A-Z][^"]*)"', told) if readme == "README.md" else re.findall("«([А-ЯЁ][^»]*)»", told)
    foreign = {"Pineapple", "Add to Home Screen", "Share", "Ананас", "Поделиться", "На экран „Домой“"}
    assert len(set(quoted) - foreign) > 10
    for text in set(quoted) - foreign:
        assert f'"{text}"' in words, text


@pytest.mark.parametrize("name", ["library.md", "fair.md"])
def test_a_page_of_examples_runs_and_prints_what_it_says(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    page = (ROOT / "docs" / name).read_text()
    blocks = re.findall(r"```python\n(.*?)```\n\n```\n(.*?)```", page, re.DOTALL)
    assert len(blocks) == page.count("```python")
    names: dict[str, object] = {}
    for block, printed in blocks:
        exec(compile(block, name, "exec"), names)  # one after the other, as a reader types them
        assert capsys.readouterr().out == printed


def _outline(page: str) -> list[tuple[int, ...]]:
    """Chapter by chapter up to the one for programmers: how deep it lies, its numbered and other points, its commands."""
    chapters = re.split(r"^(##+) .*$", page, flags=re.MULTILINE)[1:]
    outline = list[tuple[int, ...]]()
    for depth, text in zip(chapters[::2], chapters[1::2], strict=True):
        outline.append(
            (len(depth), *(len(re.findall(part, text, re.MULTILINE)) for part in (r"^\d\. ", r"^- ", "^ananas ")))
        )
        if len(outline) > 1 and depth == "##":
            break
    return outline


def test_the_page_on_the_sealed_deal_tells_the_same_in_both_languages() -> None:
    """As many points in each chapter for players, the same commands, and what is quoted from the screen stands there."""
    english, russian = ((ROOT / "docs" / name).read_text() for name in ("fair.md", "fair.ru.md"))
    assert _outline(english)[:-1] == _outline(russian)[:-1]
    assert len(_outline(russian)) == 5
    assert _blocks(english, "sh") == _blocks(russian, "sh")
    # Planted: a page that has lost one point.
    assert _outline(english)[:-1] != _outline(russian.replace("\n- ", "\n", 1))[:-1]
    for page, language, quoted in ((english, "en", '"([A-Z][^"]*)"'), (russian, "ru", "«([А-ЯЁ][^»]*)»")):
        words = (ROOT / "web" / "src" / "languages" / "apart" / f"{language}-apart.ts").read_text()
        found = re.findall(quoted, re.sub(r"```.*?```|`[^`]*`", "", page, flags=re.DOTALL))
        assert found, language
        for text in found:
            assert f'"{text}"' in words, text


@pytest.mark.parametrize("page", ["trust.md", "security.md", "running.md", "bugs.md"])
def test_what_a_page_of_promises_names_is_there(page: str) -> None:
    """Every file of tests, every command, and every option of it."""
    text = (ROOT / "docs" / page).read_text()
    for path in set(re.findall(r"`(?:pytest )?((?:tests|src|web|bench)/[\w./-]+\.\w+)`", text)):
        assert (ROOT / path).is_file(), path
    for module, options in re.findall(r"`(?:python -m )?((?:tests|bench)\.[\w.]+)([^`]*)`", text):
        found = ROOT / Path(*module.split("."))
        source = (found / "__main__.py" if found.is_dir() else found.with_suffix(".py")).read_text()
        for option in re.findall(r"--[a-z-]+", options):
            assert f'"{option}"' in source, f"{module} {option}"


def test_the_notation_page_shows_what_is_read() -> None:
    page = (ROOT / "docs" / "notation.md").read_text()
    histories = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    assert len(histories) == 2
    for text in histories:
        assert write_history(replace(read_history(text))) == text
    positions = re.findall(r"```position\n(.*?)\n```", page, re.DOTALL)
    assert [str(Position.parse(text)) for text in positions] == positions != []
    needed = [name for name, said in re.findall(r"^\| `(\w+)` \| (needed|) *\|", page, re.MULTILINE) if said]
    assert tuple(name for name, _ in re.findall(r"^\| `(\w+)` \| (needed|) *\|", page, re.MULTILINE)) == FIELDS
    assert needed == [name for name in FIELDS if name in REQUIRED]


def test_every_message_stands_in_the_protocol_page() -> None:
    shown = re.findall(r"^\| `(\{\"type.*?\})`", PROTOCOL, re.MULTILINE)
    from_client = {json.loads(text)["type"] for text in shown if "{...}" not in text}
    for kind in (*protocol.CLIENT_MESSAGES, *protocol.SERVER_MESSAGES):
        tag = kind.__struct_config__.tag
        assert any(f'"type":"{tag}"' in text for text in shown), tag
    for text in shown:
        tag = re.findall(r'"type":"([\w-]+)"', text)[0]
        if tag in from_client - {"kept", "refused", "pong"}:
            protocol.decode(text)
        elif "{...}" not in text:
            msgspec.json.decode(text, type=protocol.Kept | protocol.RefusedMessage | protocol.Pong)


def test_every_close_code_stands_in_the_protocol_page() -> None:
    named = {int(code) for code in re.findall(r"^\| (\d{4}) \|", PROTOCOL, re.MULTILINE)}
    assert named == {app.BROKEN, app.NO_TABLE, room.RESTARTS, viewers.FLOOD, viewers.HEARTBEAT_MISSED, viewers.TOO_SLOW}


def test_every_refusal_stands_in_the_protocol_page() -> None:
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.*?) \|$", PROTOCOL, re.MULTILINE)) == dict(REASONS)


def test_every_refusal_has_its_words_in_both_languages() -> None:
    for language in ("ru", "en"):
        words = (ROOT / "web" / "src" / "languages" / f"{language}.ts").read_text()
        for code in REASONS:
            assert f'"{code}"' in words or f"{code}:" in words, f"{language}: {code}"


def test_every_setting_stands_in_the_running_page() -> None:
    rows = dict(re.findall(r"^\| `--([a-z-]+)[^`]*` \| `(ANANAS_[A-Z_]+)`", RUNNING, re.MULTILINE))
    assert rows == {name.replace("_", "-"): f"ANANAS_{name.upper()}" for name in Settings.model_fields}


def test_the_glossary_has_no_word_twice() -> None:
    words = re.findall(r"^\| ([A-Z][^|]*?) \|", (ROOT / "docs" / "glossary.md").read_text(), re.MULTILINE)
    single = [word.strip() for row in words for word in re.split(r"[,:;]", row)]
    assert len(single) == len(set(single)) > 20


def test_a_refusal_tells_its_arguments() -> None:
    assert Refused("row-full", row="top", room=1, cards="QsQh").args_by_name == {
        "row": "top",
        "room": 1,
        "cards": "QsQh",
    }
