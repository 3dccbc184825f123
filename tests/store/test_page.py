"""The page about the store names every table."""

import re

from grader.store.tables import TABLES
from tools.paths import CHECKOUT


def test_every_table_is_explained_on_the_page() -> None:
    page = (CHECKOUT / "docs" / "contributor" / "store.md").read_text(encoding="utf-8")
    rows = [line.split("|")[1] for line in page.splitlines() if line.startswith("| `")]
    assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(TABLES.tables)
