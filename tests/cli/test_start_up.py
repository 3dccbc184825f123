"""What a command imports before it starts decides how long a student waits."""

import subprocess
import sys

import pytest


def loaded(command: str, *modules: str) -> list[str]:
    """Which of ``modules`` the module of ``command`` imports."""
    script = f"import sys, grader.cli.{command}\nprint(*sorted({set(modules)} & sys.modules.keys()))"
    return subprocess.check_output([sys.executable, "-c", script], text=True).split()


def test_a_check_loads_no_database_and_no_templates() -> None:
    assert loaded("check", "sqlalchemy", "jinja2", "docker") == []


@pytest.mark.parametrize("command", ["leaderboard", "review"])
def test_a_query_loads_no_labs_and_no_other_database(command: str) -> None:
    assert loaded(command, "numpy", "jinja2", "grader.labs", "sqlalchemy.dialects.postgresql") == []
