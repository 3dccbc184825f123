"""The catalogue is complete, names only existing tests and files, and matches the documentation."""

import ast
from string import ascii_uppercase

import pytest

from tests.attacks.entries import Attack, Attempt, attempts, folder, sections
from tests.attacks.page import PAGE, content
from tools.labs import built_in_labs
from tools.pages import section
from tools.paths import CHECKOUT

FEWEST = 115
"""The lines that the catalogue has had; one that becomes impossible stays and says so."""

ATTACKS = [attack for part in sections() for attack in part.attacks]


def test_every_line_is_there_once_and_in_order() -> None:
    assert [attack.line for attack in ATTACKS] == list(range(1, len(ATTACKS) + 1))
    assert len(ATTACKS) >= FEWEST
    assert [part.letter for part in sections()] == list(ascii_uppercase[: len(sections())])


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: f"line-{attack.line}")
def test_every_line_is_shown_by_something(attack: Attack) -> None:
    assert attack.attempts or attack.tests
    assert not attack.needs_gpu or any(test.startswith("tests/gpu/") for test in attack.tests)


@pytest.mark.parametrize(
    "test", sorted({test for attack in ATTACKS for test in attack.tests}), ids=lambda test: test
)
def test_a_test_that_is_named_exists(test: str) -> None:
    path, *names = test.split("::")
    tree = ast.parse((CHECKOUT / path).read_text(encoding="utf-8"))
    defined = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    assert set(names) <= defined


def test_catalogue_and_corpus_list_the_same_files() -> None:
    named = [folder(letter) / attempt.file for letter, attempt in attempts()]
    folders = [top for part in sections() if (top := folder(part.letter)).is_dir()]
    there = [path for top in folders for path in top.iterdir()]
    assert sorted(set(named)) == sorted(path for path in there if path.name != "__pycache__")


def test_every_attempt_names_a_lab_and_its_honest_rung() -> None:
    labs = built_in_labs().labs
    unknown: list[Attempt] = [
        attempt
        for _, attempt in attempts()
        if attempt.honest not in {rung.name for rung in labs[attempt.lab].manifest.rungs}
    ]
    assert unknown == []


def test_the_page_shows_what_the_catalogue_says() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert {name: section(text, name) for name in content()} == content()
