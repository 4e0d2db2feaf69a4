"""What the client is tested and looked at with is what the rules and the wire say today."""

from __future__ import annotations

from tests.web import make_answers, make_fixtures, make_lesson, make_row_vectors, make_rule_sets


def test_the_row_vectors_are_what_the_rules_say() -> None:
    assert make_row_vectors.TARGET.read_text() == make_row_vectors.make()


def test_the_rule_sets_of_the_table_form_are_those_of_the_room() -> None:
    assert make_rule_sets.TARGET.read_text() == make_rule_sets.make()


def test_the_fixtures_are_what_the_table_shows() -> None:
    written = {path.name: path.read_bytes() for path in make_fixtures.TARGET.glob("*.json")}
    assert written == dict(make_fixtures.make())


def test_the_proofs_are_those_of_the_sealed_fixtures() -> None:
    written = {path.name: path.read_bytes() for path in make_fixtures.PROOFS.iterdir()}
    assert written == dict(make_fixtures.make_proofs())


def test_the_lesson_is_what_the_table_shows() -> None:
    written = {path.name: path.read_bytes() for path in make_lesson.TARGET.glob("*.json")}
    assert written == make_lesson.make()


def test_the_answers_are_what_the_room_tells() -> None:
    written = {path.name: path.read_bytes() for path in make_answers.TARGET.glob("*.json")}
    assert written == dict(make_answers.make())
