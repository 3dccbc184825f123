"""The command line's page names every command and every option there is."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from grader.cli.app import app
from tools.paths import CHECKOUT

PAGE = "docs/reference/command-line.md"


def _commands(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """Every command below ``command`` that does something by itself, by the words one types."""
    subcommands = getattr(command, "commands", {})
    if not subcommands or getattr(command, "invoke_without_command", False):
        yield name, command
    for word, subcommand in subcommands.items():
        yield from _commands(subcommand, f"{name} {word}")


COMMANDS = dict(_commands(typer.main.get_command(app), "grader"))


def test_the_commands_are_those_the_readme_promises() -> None:
    promised = {"labs", "labs validate", "start", "check", "sweep", "grade", "show", "leaderboard", "doctor"}
    assert {f"grader {name}" for name in promised} <= set(COMMANDS)


@pytest.fixture(scope="module")
def sections() -> dict[str, str]:
    """The page's text by the command its heading names."""
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    parts = re.split(r"^## `(.*)`$", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_and_its_options_are_on_the_page(name: str, sections: dict[str, str]) -> None:
    assert name in sections
    options = [option for param in COMMANDS[name].params for option in param.opts if option.startswith("--")]
    assert [option for option in options if option != "--help" and f"`{option}`" not in sections[name]] == []


def test_the_page_describes_no_command_that_does_not_exist(sections: dict[str, str]) -> None:
    assert set(sections) <= set(COMMANDS)


def test_the_options_of_every_command_are_on_the_page() -> None:
    text = (CHECKOUT / PAGE).read_text(encoding="utf-8")
    section = text.partition("## Options of every command")[2].partition("\n## ")[0]
    options = [option for param in typer.main.get_command(app).params for option in param.opts]
    assert [option for option in options if f"`{option}`" not in section] == ["--version"]
