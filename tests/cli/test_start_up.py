"""What a command imports before it starts decides how long a student waits."""

import subprocess
import sys


def test_a_check_loads_no_database_and_no_templates() -> None:
    script = "import sys, grader.cli.check\nprint(*sorted({'sqlalchemy', 'jinja2', 'docker'} & sys.modules.keys()))"
    assert subprocess.check_output([sys.executable, "-c", script], text=True).split() == []
