"""The frozen bot of hindsight.cpp as an outside bot: our lines in, its lines out, and back.

    ananas arena hindsight "cmd:python bench/peers/hindsight.py 80 200 0 -6 9" --hands 2000

It is built with g++ at the first use, and asked on ordinary streets. It knows no Fantasyland: that is laid here by the
exact search, each row worth its royalty, staying worth what the bot was told Fantasyland is (its fifth number).
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

import msgspec

from ananas.bots.outside import Question
from ananas.game.board import ROWS, Placement
from ananas.game.cards import Card, parse_cards
from ananas.game.rules import RuleSet
from ananas.game.view import HandView, PlayerView
from ananas.solver import fantasyland

SOURCE: Final = Path(__file__).with_name("hindsight.cpp")
PINEAPPLE: Final = {(1, 5, 5), *((street, 3, 2) for street in range(2, 6))}
"""Street, cards dealt, cards laid: what the bot can play."""


def built() -> Path:
    """The program, built from the source as it is now if it has not been yet."""
    name = f"hindsight-{hashlib.sha256(SOURCE.read_bytes()).hexdigest()[:16]}"
    folder = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "ananas"
    program = folder / name
    if not program.exists():
        compiler = shutil.which("g++")
        if compiler is None:
            sys.exit("g++ is missing; on Debian: apt-get install g++")
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            fresh = Path(place) / name
            subprocess.run([compiler, "-O3", "-o", fresh, SOURCE], check=True)
            fresh.replace(program)  # at once, since another process may be building it, too
    return program


def ask(program: subprocess.Popen[str], view: HandView, me: PlayerView) -> Placement:
    """What the bot lays on an ordinary street."""
    assert program.stdin
    assert program.stdout
    if (me.street, len(me.dealt), me.to_lay) not in PINEAPPLE:
        sys.exit(f"this bot plays streets of five and three cards, not {len(me.dealt)} on street {me.street}")
    known = [card for player in view.players if player is not me for card in player.board.cards]
    fields = [*(me.board.row(row) for row in ROWS), [*known, *me.discards], me.dealt]
    print(me.street, *(" ".join(cards) for cards in fields), sep="|", file=program.stdin, flush=True)
    rows: list[list[Card]] = [[], [], [], []]
    answer = program.stdout.readline()
    if not answer:
        sys.exit("the frozen bot has ended")
    for word in answer.split():
        card, _, row = word.partition(":")
        rows[int(row)] += parse_cards(card)
    return Placement(*map(tuple, rows))


def lay(me: PlayerView, rules: RuleSet, stay: float) -> Placement:
    """Fantasyland, the most royalties and the stay."""
    return fantasyland(me.dealt, rules, stay).placement


def main() -> None:
    """Answer line by line."""
    numbers = sys.argv[1:]
    if len(numbers) != 5:
        sys.exit("five numbers are wanted, as 80 200 0 -6 9")
    questions = msgspec.json.Decoder(Question)
    with subprocess.Popen([built(), *numbers], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        for line in sys.stdin.buffer:
            question = questions.decode(line)
            me = next(player for player in question.hand.players if player.seat == question.hand.you)
            if me.fantasyland:
                print(lay(me, question.rules, float(numbers[4])), flush=True)
            else:
                print(ask(program, question.hand, me), flush=True)


if __name__ == "__main__":
    main()
