from __future__ import annotations

import pytest

from ananas.table.names import look

SAME = """
Ann       ann
Ann       АNN
Ann       A.n.n
Ann       Ａｎｎ
Ivan      lvan
Ivan      1van
Bob       B0b
СОРОКА    COPOKA
Нина      HиHa
Τom       Tom
Ёж        Ёж
straße    STRASSE
"""
DIFFERENT = """
Ann       Anna
Анна      Инна
Ёж        Еж
Bob       Rob
Маша      Миша
Иван      Иваи
"""


def pairs(table: str) -> list[list[str]]:
    return [line.split() for line in table.strip().splitlines()]


@pytest.mark.parametrize(("one", "other"), pairs(SAME))
def test_names_that_look_the_same(one: str, other: str) -> None:
    assert look(one) == look(other)


@pytest.mark.parametrize(("one", "other"), pairs(DIFFERENT))
def test_names_that_look_different(one: str, other: str) -> None:
    assert look(one) != look(other)
