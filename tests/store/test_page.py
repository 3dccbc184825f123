"""The page about the store names every table."""

import re

from grader.store import schema
from grader.store.schema import TABLES
from tools.paths import CHECKOUT


def test_every_table_is_explained_on_the_page() -> None:
    page = (CHECKOUT / "docs" / "contributor" / "store.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(TABLES.tables)


def test_the_schema_has_every_module_of_tables() -> None:
    files = (CHECKOUT / "grader" / "store").glob("*tables.py")
    assert {module.__name__.rpartition(".")[2] for module in schema.MODULES} == {file.stem for file in files}
