"""Reading the project's own files for the tests: its dependencies and its pages."""

import re
import tomllib
from pathlib import Path

from tools.paths import CHECKOUT

EXTRAS = ("gpu-cuda12", "gpu-cuda13", "profile", "postgresql", "server", "lti", "jupyter", "dev")

_CAPTIONED = re.compile(
    r"^```\{code-block\} \w+\n:caption: (?P<path>\S+)\n\n(?P<code>.*?\n)```$", re.MULTILINE | re.DOTALL
)


def dependencies(*extras: str) -> set[str]:
    """The names of the distributions that ``pyproject.toml`` asks for, always and for ``extras``."""
    project = tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    optional = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for extra in extras for one in optional[extra])]
    names = {re.split(r"[\[<>=~!;]", requirement, maxsplit=1)[0].lower() for requirement in wanted}
    return names - {project["name"]}  # an extra may ask for other extras


def pinned() -> dict[str, str]:
    """The exact release of every distribution in ``constraints.txt``."""
    lines = (CHECKOUT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pairs = (line.partition("==") for line in lines if line and not line.startswith("#"))
    return {name: release for name, _, release in pairs}


def captioned_files(page: Path) -> dict[str, str]:
    """Every code block of ``page`` with a file's path as its caption, by that path."""
    return {match["path"]: match["code"] for match in _CAPTIONED.finditer(page.read_text(encoding="utf-8"))}
