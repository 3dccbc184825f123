"""Regular expressions mean the same on every Python that CI and users have."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.paths import CHECKOUT

POSSESSIVE_GROUP = re.compile(r"(?<!\\)\)(?:[*+?]|\{\d*,?\d*\})\+")
"""Python 3.11.2, which Debian 12 has, takes the parts of such a group for one another."""


def _texts(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            yield node.value if isinstance(node.value, str) else node.value.decode("latin-1")


def test_no_regular_expression_has_a_possessive_group() -> None:
    guilty = [
        (path.relative_to(CHECKOUT), text)
        for path in (CHECKOUT / "grader").rglob("*.py")
        for text in _texts(path)
        if POSSESSIVE_GROUP.search(text)
    ]
    assert guilty == []


@pytest.mark.parametrize("pattern", ["(a|b)*+", "(?:ab)++c", "(x)?+", "(?:ab){2,3}+"])
def test_a_possessive_group_is_seen(pattern: str) -> None:
    assert POSSESSIVE_GROUP.search(pattern)


@pytest.mark.parametrize("pattern", [r"\s*+(a)*", r"[\w$]++(x)?", r"\)+", "(a)+b", "(a)*"])
def test_other_quantifiers_are_let_through(pattern: str) -> None:
    assert not POSSESSIVE_GROUP.search(pattern)
