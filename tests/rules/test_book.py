"""The rule book as a book: every paragraph has its test, both languages say the same, nothing is left out."""

from __future__ import annotations

import re
from pathlib import Path

from tests.rules.book import BOOKS, DOCS, paragraphs

TESTS = Path(__file__).parent


def test_every_paragraph_has_a_test_and_every_test_a_paragraph() -> None:
    tested: list[str] = []
    for path in TESTS.glob("test_*.py"):
        found = re.findall(r"^def test_(\d+)_(\d+)_\w+\(\) -> None:", path.read_text(), re.MULTILINE)
        assert found == sorted(found, key=lambda number: (int(number[0]), int(number[1]))), path.name
        tested += [f"{chapter}.{paragraph}" for chapter, paragraph in found]
    assert sorted(tested) == sorted(paragraphs("en"))


def test_paragraphs_are_counted_without_gaps() -> None:
    printed = re.findall(r"^\*\*(\d+)\.(\d+)\.\*\* ", BOOKS["en"], re.MULTILINE)
    chapters = re.findall(r"^## (\d+)\. ", BOOKS["en"], re.MULTILINE)
    assert chapters == [str(place + 1) for place in range(len(chapters))]
    for chapter in chapters:
        own = [int(paragraph) for number, paragraph in printed if number == chapter]
        assert own == list(range(1, len(own) + 1))


def test_both_languages_have_the_same_paragraphs_with_the_same_figures_and_words_of_the_rules() -> None:
    assert list(paragraphs("en")) == list(paragraphs("ru"))
    for number, text in paragraphs("en").items():
        for same in (r"\d+", r"`[^`]+`"):
            assert sorted(re.findall(same, text)) == sorted(re.findall(same, paragraphs("ru")[number])), number
    for language, book in BOOKS.items():
        assert len(re.findall(r"^\*\*\d", book, re.MULTILINE)) == len(paragraphs(language))


def test_paragraphs_point_to_paragraphs_that_exist() -> None:
    for language in BOOKS:
        for number, text in paragraphs(language).items():
            prose = "\n".join(line for line in text.splitlines() if not line.startswith("|"))
            for named in re.findall(r"(?<![\d.+-])\b(\d{1,2}\.\d{1,2})\b", prose):
                assert named in paragraphs(language), number


def test_the_russian_book_writes_yo() -> None:
    without = re.findall(r"\b(?:мертв|еще|все-таки|свое\b|черн|счет|расчет|придет|уйдет|идет)\w*", BOOKS["ru"])
    assert [word for word in without if word not in {"мертвы", "мертва"}] == []


# -- the table of statements

STATEMENTS = (DOCS / "statements.md").read_text()
CHAPTERS = re.compile(r"^\| (\d+)(?:-(\d+))? \| `(tests/rules/\w+\.py)` \|$", re.MULTILINE)
NAMED = re.compile(r"(?<![\d.])\d{1,2}\.\d{1,2}(?![\d.])")


def statements() -> dict[str, str]:
    """Where each statement of the documents stands, by its number."""
    rows = re.findall(r"^\| ([AB]\d+) \| [^|]+ \| ([^|]+) \|$", STATEMENTS, re.MULTILINE)
    assert len(rows) == len(dict(rows))
    return dict(rows)


def own_decisions() -> list[str]:
    """The paragraphs that no document asks for."""
    rows = re.findall(r"^\| ([\d., ]+) \| [^|]+ \|$", STATEMENTS.split("## Our own decisions")[1], re.MULTILINE)
    return [number for row in rows for number in row.split(", ")]


def test_every_statement_of_the_documents_is_in_the_table() -> None:
    assert list(statements()) == [f"A{number}" for number in range(1, 53)] + [f"B{number}" for number in range(86)]


def test_every_statement_stands_in_a_paragraph_or_is_no_rule() -> None:
    for statement, place in statements().items():
        named = NAMED.findall(place)
        assert all(number in paragraphs("en") for number in named), statement
        assert bool(named) != place.startswith("not a rule: "), statement
        assert named == [] or place.startswith(named[0]), statement


def test_every_paragraph_comes_from_a_statement_or_is_called_our_own() -> None:
    asked_for = {number for place in statements().values() for number in NAMED.findall(place)}
    assert not asked_for & set(own_decisions())
    assert sorted([*asked_for, *own_decisions()]) == sorted(paragraphs("en"))


def test_each_chapter_is_tested_where_the_table_says() -> None:
    told: dict[str, str] = {}
    for first, last, path in CHAPTERS.findall(STATEMENTS):
        told |= {str(chapter): Path(path).name for chapter in range(int(first), int(last or first) + 1)}
    found = {
        chapter: path.name
        for path in TESTS.glob("test_*.py")
        for chapter in re.findall(r"^def test_(\d+)_\d+_", path.read_text(), re.MULTILINE)
    }
    assert told == found
