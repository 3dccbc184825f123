"""The GitHub Action and the GitLab template: their shell steps, run here on a right, a wrong and a missing kernel."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
import yaml

from tools.paths import CHECKOUT

ACTION = CHECKOUT / ".github" / "actions" / "check" / "action.yml"
TEMPLATE = CHECKOUT / ".gitlab" / "check.yml"
RIGHT = (CHECKOUT / "reference" / "vector-add" / "global.cu").read_text(encoding="utf-8")
WRONG = RIGHT.replace("] + b[", "] - b[")


def github_script() -> tuple[str, dict[str, str]]:
    """The script of the action's check, and its environment as GitHub sets it from the inputs."""
    steps = yaml.safe_load(ACTION.read_text("utf-8"))["runs"]["steps"]
    (step,) = (each for each in steps if each.get("id") == "check")
    assert "${{" not in step["run"], "an input in a script could run as part of it"
    inputs = {"lab": "vector-add", "path": "work", "language": "en", "reports": "grader-reports"}
    values = {name: inputs[text.split(".")[1].split(" ")[0]] for name, text in step["env"].items()}
    return step["run"], values | {"GITHUB_OUTPUT": "output.txt", "GITHUB_STEP_SUMMARY": "summary.md"}


def gitlab_script() -> tuple[str, dict[str, str]]:
    """The script of the template's job, and its variables."""
    job: dict[str, Any] = yaml.safe_load(TEMPLATE.read_text("utf-8"))[".grader-check"]
    assert job["artifacts"]["reports"]["junit"] == "grader-reports/results.xml"
    return "\n".join(job["script"]), job["variables"] | {"GRADER_LAB": "vector-add", "GRADER_PATH": "work"}


def played(script: str, environment: dict[str, str], folder: Path, source: str) -> int:
    """The exit code of ``script`` in a repository with this kernel."""
    (folder / "work").mkdir()
    if source:
        (folder / "work" / "vector_add.cu").write_text(source, encoding="utf-8")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        ["/usr/bin/env", "bash", "-eo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, **environment, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    return done.returncode


SCRIPTS = {"github": github_script, "gitlab": gitlab_script}


@pytest.mark.parametrize("system", SCRIPTS)
@pytest.mark.parametrize(("source", "code"), [(RIGHT, 0), (WRONG, 3), ("", 2)])
def test_the_exit_code_and_the_reports_say_the_verdict(
    system: str, source: str, code: int, tmp_path: Path
) -> None:
    script, environment = SCRIPTS[system]()
    assert played(script, environment, tmp_path, source) == code
    reports = tmp_path / "grader-reports"
    if source:
        (report,) = json.loads((reports / "results.json").read_bytes())["reports"]
        assert report["verdict"] == ("accepted" if code == 0 else "wrong")
        assert int(ET.fromstring((reports / "results.xml").read_bytes()).attrib["tests"]) > 0
    if system == "github":
        assert (tmp_path / "output.txt").read_text("utf-8") == f"code={code}\n"
        assert (tmp_path / "summary.md").read_text("utf-8").startswith("### vector-add\n")
