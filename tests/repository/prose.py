"""The text that people read: pages, handouts and command-line help, without code."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from grader.cli.app import app
from tools.paths import CHECKOUT

DOCS = CHECKOUT / "docs"
TABLES = CHECKOUT / "benchmarks" / "tables"
GLOSSARY = DOCS / "glossary.md"

_GENERATED = re.compile(r"<!-- ([\w-]+): begin.*?<!-- \1: end -->", re.DOTALL)
_CODE = re.compile(r"^(```|:::).*?^\1|`[^`\n]*`|<!--.*?-->|\]\([^)]*\)", re.MULTILINE | re.DOTALL)


def pages() -> list[Path]:
    """The pages of the project. The site's copy of the tables is not one of them."""
    site = [page for page in DOCS.rglob("*.md") if not {"_build", "measurements"} & set(page.parts)]
    return sorted([*CHECKOUT.glob("*.md"), *site, *TABLES.glob("*.md")])


def handouts() -> list[Path]:
    """The handouts in English."""
    return sorted(CHECKOUT.glob("assignments/*/README.md"))


def prose(page: Path) -> str:
    """The text of ``page``. Code, generated tables, links' targets and comments become blanks; lines stay."""
    text = page.read_text(encoding="utf-8")
    for pattern in (_GENERATED, _CODE):
        text = pattern.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    return text


def command_help() -> dict[str, str]:
    """The help of every command and its options, by the command's name."""
    return dict(_help_of(typer.main.get_command(app), "grader"))


def _help_of(command: Any, name: str) -> Iterator[tuple[str, str]]:
    texts = [command.help or "", *(getattr(param, "help", None) or "" for param in command.params)]
    yield name, "\n".join(texts)
    for word, subcommand in getattr(command, "commands", {}).items():
        yield from _help_of(subcommand, f"{name} {word}")


def located(text: str, pattern: re.Pattern[str]) -> list[str]:
    """``LINE: words`` for every match of ``pattern`` in ``text``."""
    return [f"{text.count(chr(10), 0, match.start()) + 1}: {match[0]}" for match in pattern.finditer(text)]
