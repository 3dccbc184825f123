"""Reading the project's own Markdown for the tests."""

import re
from pathlib import Path

_CAPTIONED = re.compile(
    r"^```\{code-block\} \w+\n:caption: (?P<path>\S+)\n\n(?P<code>.*?\n)```$", re.MULTILINE | re.DOTALL
)


def captioned_files(page: Path) -> dict[str, str]:
    """Every code block of ``page`` whose caption is a file's path, by that path."""
    return {match["path"]: match["code"] for match in _CAPTIONED.finditer(page.read_text(encoding="utf-8"))}
