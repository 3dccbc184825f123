"""No file ties the project to one machine's network: dependencies are names and releases, never addresses."""

import subprocess
import tomllib
from pathlib import Path

from tools.paths import CHECKOUT

REGISTRIES = [b"pypi" + b".org", b"pythonhosted" + b".org", b"index" + b"-url", b"conda" + b".anaconda"]
LOCK_FILES = {"poetry.lock", "uv.lock", "Pipfile.lock", "pdm.lock", "pylock.toml"}


def _kept_files() -> list[Path]:
    """Files that git has or would take."""
    command = ["git", "-C", str(CHECKOUT), "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, capture_output=True, check=True).stdout.split(b"\0")
    return [
        path
        for name in names
        if name and (path := CHECKOUT / name.decode("utf-8", "surrogateescape")).is_file()
    ]


def test_no_file_names_a_package_registry() -> None:
    guilty = [path for path in _kept_files() if any(host in path.read_bytes() for host in REGISTRIES)]
    assert guilty == []


def test_there_is_no_lock_file_with_addresses() -> None:
    assert [path for path in _kept_files() if path.name in LOCK_FILES] == []


def test_every_ignored_lint_rule_has_its_reason() -> None:
    text = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    lint = tomllib.loads(text)["tool"]["ruff"]["lint"]
    rules = [*lint["ignore"], *(rule for rules in lint["per-file-ignores"].values() for rule in rules)]
    unexplained = [
        line.strip()
        for line in text.splitlines()
        if line.strip().startswith('"') and line.strip().strip('",') in rules
    ]
    assert unexplained == []
