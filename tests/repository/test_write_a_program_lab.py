"""The page about program labs: its tables load, and it lists every check with its bound."""

import re
import tomllib
from typing import Any

import pytest

from grader.labs.convert import convert
from grader.labs.program import StructureCheck
from grader.labs.program_tables import ProgramTable, StructureTable, program_request, structure_rules
from tools.paths import CHECKOUT

PAGE = (CHECKOUT / "docs" / "lab-author" / "write-a-program-lab.md").read_text(encoding="utf-8")
TABLES = [tomllib.loads(text) for text in re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)]


@pytest.mark.parametrize("table", [each["program"] for each in TABLES if "program" in each])
def test_each_program_of_the_page_is_valid(table: dict[str, Any]) -> None:
    made = program_request(convert(table, ProgramTable))
    assert made.name in {"vector_add", "main"}


@pytest.mark.parametrize("table", [each["rubric"] for each in TABLES if "rubric" in each])
def test_each_rule_of_the_page_is_valid(table: dict[str, Any]) -> None:
    rules = [convert(each, StructureTable) for each in table["structure"]]
    assert len(structure_rules(rules)) == len(rules)


def test_the_page_lists_every_check() -> None:
    assert re.findall(r"^\| `([a-z-]+)` \|", PAGE, re.MULTILINE) == [
        *("arguments", "stdout", "check"),
        *(check.value for check in StructureCheck),
    ]
