"""What the project says about itself is true: links lead somewhere, targets and dependencies are described."""

import re
import tomllib
from pathlib import Path

import pytest

from grader.model.devices import DEVICES
from grader.model.diagnostic import DiagnosticKind
from grader.model.verdict import Verdict

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_local_link_leads_to_a_file(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [match["target"] for match in _LINK.finditer(text)]
    missing = [
        target for target in targets if "://" not in target and not (page.parent / target).resolve().is_file()
    ]
    assert missing == []


def test_the_readme_names_every_make_target() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    unnamed = [target for target in phony.split() if target != "help" and f"`make {target}`" not in readme]
    assert unnamed == []


def test_ci_runs_what_contributors_are_told_to_run() -> None:
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "make check"
    assert f"$ {last}" in (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_dependency_has_its_reason_and_its_release() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"].values()
    wanted = [*project["dependencies"], *(requirement for extra in extras for requirement in extra)]
    names = {re.split(r"[\[<>=~!;]", requirement, maxsplit=1)[0].lower() for requirement in wanted}
    decisions = (ROOT / "docs" / "decisions.md").read_text(encoding="utf-8").lower()
    releases = dict(
        line.split("==")
        for line in (ROOT / "constraints.txt").read_text(encoding="utf-8").splitlines()
        if "==" in line
    )
    described = {name for name in names if name in decisions and releases[name] in decisions}
    type_information = {name for name in names if name.startswith("types-")}
    assert names - type_information - described == set()


def test_every_page_is_in_the_table_of_contents() -> None:
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8").splitlines()
    assert [page.stem for page in ROOT.glob("docs/*.md") if page.stem not in {"index", *index}] == []


@pytest.mark.parametrize("kind", DiagnosticKind)
def test_every_kind_of_finding_is_explained(kind: DiagnosticKind) -> None:
    assert f"| {kind} |" in (ROOT / "docs" / "emulator.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_explained(verdict: Verdict) -> None:
    assert f"| `{verdict}` |" in (ROOT / "docs" / "how-grading-works.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("short", DEVICES)
def test_every_device_that_can_be_imitated_is_listed(short: str) -> None:
    device = DEVICES[short]
    row = f"| `{short}` | `{device.name}` | `{device.arch}`"
    assert row in (ROOT / "docs" / "emulator.md").read_text(encoding="utf-8")
