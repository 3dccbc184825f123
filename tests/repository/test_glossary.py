"""Pages, handouts and help use the terms of the glossary, and none of the words that it replaced."""

import re
from pathlib import Path

import pytest

from tests.repository.prose import GLOSSARY, command_help, handouts, located, pages, prose
from tools.paths import CHECKOUT

ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in GLOSSARY.read_text(encoding="utf-8").splitlines()
    if line.startswith("| ") and not line.startswith("| term ")
]
OLD = [word for row in ROWS for word in re.findall(r"`([^`]+)`", row[3])]
OLD_WORDS = re.compile(rf"\b(?:{'|'.join(re.escape(word) for word in OLD)})\b", re.IGNORECASE)


def test_every_term_is_defined_once() -> None:
    terms = [row[0] for row in ROWS]
    assert terms
    assert len(set(terms)) == len(terms)
    assert all(len(row) == 4 and row[1].endswith(".") and row[2] for row in ROWS)


@pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(CHECKOUT)))
def test_pages_use_no_old_term(page: Path) -> None:
    assert located(prose(page), OLD_WORDS) == []


@pytest.mark.parametrize("page", handouts(), ids=lambda page: page.parent.name)
def test_handouts_use_no_old_term(page: Path) -> None:
    assert located(prose(page), OLD_WORDS) == []


@pytest.mark.parametrize("command", command_help())
def test_the_help_of_commands_uses_no_old_term(command: str) -> None:
    assert located(command_help()[command], OLD_WORDS) == []
