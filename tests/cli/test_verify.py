"""`ananas verify`: what it says of a proof, and of a hand as somebody wrote it down beside it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from ananas.cli import verify as module
from ananas.cli.main import app
from ananas.fair import Seed, blocks, commitment, draw, encode, lot, unseal
from ananas.fair import proof as proofs
from ananas.game.cards import Card
from ananas.game.hand import Hand
from ananas.game.notation import HandHistory, read_histories, write_histories, write_history
from ananas.game.rules import RuleSet
from tests.trust.proofs import GOLDEN

RUNNER = CliRunner(env={"NO_COLOR": "1", "COLUMNS": "160", "LC_ALL": "C"})
NAME, SEED, SEATS = "t/12", "0f" * 16, (2, 0)
SEEDS = (Seed(0, commitment(NAME, 0, SEED), SEED), Seed(2, commitment(NAME, 2, SEED), None))


def verify(*words: str | Path, text: str | None = None) -> tuple[int, str, str]:
    found = RUNNER.invoke(app, ["verify", *map(str, words)], input=text)
    return found.exit_code, "\n".join(line.rstrip() for line in found.stdout.splitlines()), found.stderr


def played(folder: Path, *, seats: tuple[int, ...] = (0, 2), number: int = 12, leave: int = 0) -> tuple[Path, Path]:
    """A hand out of a sealed deck, laid by the table, as seat 2 knows it: its proof and its history."""
    sealed = unseal(NAME, bytes(32), SEEDS, RuleSet().deal, SEATS, (14, 0))
    hand = Hand.deal(RuleSet(), sealed.deck, SEATS, fantasyland=(14, 0))
    while not hand.over:
        hand = hand.place(hand.acting[0], hand.automatic(hand.acting[0], None))
    history = replace(HandHistory.seen_by(hand, 2, ("ann", "bob")), seats=seats, number=number)
    cards = [card for action in history.actions for card in action.named if isinstance(card, Card)]
    proof, told = folder / "hand.json", folder / "hand.ofc"
    proof.write_bytes(encode(sealed.proof(cards[leave:], over=True)))
    told.write_text(write_history(history))
    return proof, told


def test_a_proof_that_holds_is_told_street_by_street() -> None:
    status, told, _ = verify(GOLDEN / "over.json")
    assert status == 0
    assert told.splitlines()[:6] == [
        "Hand gH3-k_9Q/7: the proof holds.",
        "root 16fb659a00d0ae40698385c8e8e92d0664580612daa262e06344cc9c4f354cff",
        "deck 10 of 64, counted from 0",
        "seeds of seats 1 and 3",
        "seat 2 was bound to a seed and never told it",
        "The other 63 decks are opened; each has all 52 cards.",
    ]
    assert told.splitlines()[6:9] == [
        "seat       street  hidden  opened",
        "   3            1       0  8h Kh 5d 7h Ad",
        "   3            2       1  Ac 2s",
    ]
    assert "   2  Fantasyland       1  " in told


def test_the_same_in_russian() -> None:
    status, told, _ = verify(GOLDEN / "over.json", "--lang", "ru")
    assert status == 0
    assert told.splitlines()[:8] == [
        "Раздача gH3-k_9Q/7: доказательство верно.",
        "печать 16fb659a00d0ae40698385c8e8e92d0664580612daa262e06344cc9c4f354cff",
        "колода 10 из 64, считая с 0",
        "числа назвали места 1 и 3",
        "место 2 обещало число и не назвало его",
        "Остальные колоды открыты, их 63; в каждой все 52 карты.",
        "место     улица  скрыто  открыто",
        "    3         1       0  8h Kh 5d 7h Ad",
    ]
    assert "чисел никто не назвал\nНи один игрок" in verify(GOLDEN / "alone.json", "--lang", "ru")[1]
    line = (GOLDEN / "own.json").read_text().replace('"leaf":', '"leaf": ', 1)
    assert verify("-", "--lang", "ru", text=line) == (
        1,
        "",
        "ananas: стандартный ввод: доказательство пишется только одним способом, а это записано иначе\n",
    )
    assert verify(GOLDEN / "own.json", "--lang", "de")[0] == 2


def test_both_languages_have_words_for_the_same() -> None:
    english, russian = (module._TEXTS[language] for language in ("en", "ru"))
    assert list(english) == list(russian)
    for name, words in english.items():
        assert sorted(re.findall(r"\{\w+\}", words)) == sorted(re.findall(r"\{\w+\}", russian[name])), name


def reasons() -> list[str]:
    """All that the verifier may say of a proof, sevens where it names something."""
    tree = ast.parse(Path(proofs.__file__).read_text())
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    texts = [node.args[0] for node in calls if ast.unparse(node.func) in {"_bad", "BadProof"}]
    found = [
        "".join(str(part.value) if isinstance(part, ast.Constant) else "7" for part in text.values)
        for text in texts
        if isinstance(text, ast.JoinedStr)
    ]
    found += [str(text.value) for text in texts if isinstance(text, ast.Constant)]
    for players, fantasyland, deal in ((5, [0] * 5, (5,)), (2, [0, 0], (99,))):
        with pytest.raises(ValueError, match="players") as refused:
            blocks(deal, players, fantasyland)
        found.append(str(refused.value))
    return found


def test_every_reason_is_told_in_russian_as_well() -> None:
    said = reasons()
    assert len(said) == 21
    untold = [reason for reason in said if module._reason(reason, "ru") == reason]
    assert untold == []
    assert all(module._reason(reason, "en") == reason for reason in said)
    assert len({module._reason(reason, "ru") for reason in said}) == len(said)
    assert not any("{" in module._reason(reason, "ru") for reason in said)


@pytest.mark.parametrize("pattern", [0, 12, -1])
def test_a_reason_without_russian_words_would_be_caught(pattern: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(module._REASONS, list(module._REASONS)[pattern])
    with pytest.raises(AssertionError):
        test_every_reason_is_told_in_russian_as_well()


def test_what_a_proof_does_not_prove_is_said() -> None:
    assert "the room may have tried decks" in verify(GOLDEN / "alone.json")[1]
    assert "this proof is from before" in verify(GOLDEN / "running.json")[1]
    assert "the room may have tried decks" not in verify(GOLDEN / "over.json")[1]


def test_a_proof_that_does_not_hold_ends_with_one() -> None:
    line = (GOLDEN / "own.json").read_text()
    assert verify("-", text=line)[0] == 0
    status, told, wrong = verify("-", text=line.replace('"leaf":', '"leaf": ', 1))
    assert (status, told) == (1, "")
    assert wrong == "ananas: standard input: a proof is written in one way only, and this one is written otherwise\n"
    assert verify("nothing.json")[0] == 2


def test_one_holds_it_to_what_one_knows(tmp_path: Path) -> None:
    proof, _ = played(tmp_path)
    root = unseal(NAME, bytes(32), (), RuleSet().deal, SEATS, (0, 0)).root
    assert verify(proof, "--root", root, "--seed", f"1:{SEED}")[0] == 0
    assert verify(proof, "--root", f" {root.upper()}", "--seed", f"1:{SEED.upper()}")[0] == 0
    assert verify(proof, "--root", root[::-1])[2].endswith("this is not the root that was shown\n")
    for seed in (f"1:{'1f' * 16}", f"2:{SEED}", f"3:{SEED}"):
        status, _, wrong = verify(proof, "--seed", seed)
        assert status == 1
        assert f"the seed of seat {seed[0]} is missing, or another one stands there" in wrong
    for seed in (SEED, f"1:{SEED}0", f"x:{SEED}", f"300:{SEED}", f"0:{SEED}", f"1:{'zz' * 16}"):
        assert verify(proof, "--seed", seed)[0] == 2


def test_every_card_of_a_history_is_looked_for(tmp_path: Path) -> None:
    status, told, _ = verify(*played(tmp_path))
    assert status == 0
    assert told.endswith("cards that " + str(tmp_path / "hand.ofc") + " tells are proved.")
    assert "All 27 cards" in told


@pytest.mark.parametrize(
    ("seats", "number", "words"),
    [
        ((0, 1), 12, "seats in order of play: 2, 1; the proof has 3, 1"),
        ((0, 2), 13, "hand 12 is wanted once, and is there 0 times"),
    ],
)
def test_another_hand_is_noticed(tmp_path: Path, seats: tuple[int, ...], number: int, words: str) -> None:
    status, _, wrong = verify(*played(tmp_path, seats=seats, number=number))
    assert (status, words in wrong) == (1, True), wrong


def test_a_card_that_is_not_proved_is_named(tmp_path: Path) -> None:
    status, told, wrong = verify(*played(tmp_path, leave=1))
    assert (status, told) == (1, "")
    assert re.search(r"of seat [13] on street 1 is not opened there by the proof", wrong)
    assert "доказательство их там не открывает" in verify(*played(tmp_path, leave=1), "--lang", "ru")[2]


def test_of_several_hands_the_one_of_the_number_is_taken(tmp_path: Path) -> None:
    proof, told = played(tmp_path)
    one = HandHistory(rules=RuleSet(), players=("ann", "bob"), button=0, seats=(0, 1), number=11)
    told.write_text(write_histories((one, *read_histories(told.read_text()))))
    assert verify(proof, told)[0] == 0
    told.write_text("nothing")
    assert verify(proof, told)[0] == 1


@pytest.mark.parametrize(("name", "refused"), [("t1/1", True), ("t1/2", False)])
def test_the_first_button_of_a_table_is_held_against_the_lot(tmp_path: Path, name: str, refused: bool) -> None:
    """Another order of the seats is another deal, of which the room could pick one; later buttons are known before."""
    honest = unseal(name, bytes(32), (), RuleSet().deal, (0, 1), (0, 0))
    drawn = lot(draw(name, honest.root, ())) % 2
    for button in (0, 1):
        sealed = unseal(name, bytes(32), (), RuleSet().deal, (1 - button, button), (0, 0))
        proof = tmp_path / f"{button}.json"
        proof.write_bytes(encode(sealed.proof((), over=True)))
        status, _, errors = verify(proof)
        assert status == (1 if refused and button != drawn else 0)
        assert ("the first button is on seat" in errors) is (status == 1)
