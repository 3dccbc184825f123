"""What the project says about itself is true: links lead somewhere, targets and dependencies are described."""

import pkgutil
import re
import tomllib
from pathlib import Path

import pytest

from grader.engines.emulator.decode.linker import HANDLERS
from grader.model.devices import DEVICES
from grader.model.diagnostic import DiagnosticKind
from grader.model.verdict import Verdict
from tools.paths import CHECKOUT

DOCS = CHECKOUT / "docs"
TABLES = CHECKOUT / "benchmarks" / "tables"
SITE = sorted([*DOCS.glob("*.md"), *DOCS.glob("[!_m]*/**/*.md"), *TABLES.glob("*.md")])
PAGES = sorted([*CHECKOUT.glob("*.md"), *SITE])
_LINK = re.compile(r"!?\[[^\]]*\]\((?P<target>[^)#\s]+)(?:#[^)]*)?\)")
_CHECKOUT_PATH = re.compile(
    r"`((?:assignments|benchmarks|docs|grader|reference|scripts|tests|tools)/[\w./-]+)`"
)
_MODULE = re.compile(r"`(grader(?:\.\w+)+)`")
_IMAGE_LABELS = {"grader.gpu", "grader.worker"}
_PLUGIN_GROUPS = set(
    tomllib.loads((CHECKOUT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
)
_BUILT = "docs/_build/"
"""What `make docs` writes; a fresh checkout does not have it."""

_FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_local_link_leads_to_a_file(page: Path) -> None:
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = [match["target"] for match in _LINK.finditer(text)]
    missing = [
        target for target in targets if "://" not in target and not (page.parent / target).resolve().is_file()
    ]
    assert missing == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_path_of_the_checkout_exists(page: Path) -> None:
    paths = _CHECKOUT_PATH.findall(page.read_text(encoding="utf-8"))
    missing = [path for path in paths if not (CHECKOUT / path).exists()]
    assert [path for path in missing if not path.startswith(_BUILT)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_module_that_a_page_names_exists(page: Path) -> None:
    named = set(_MODULE.findall(page.read_text(encoding="utf-8"))) - {"grader.toml"}
    assert [name for name in sorted(named) if not _is_importable(name)] == []


def _is_importable(name: str) -> bool:
    """Whether ``name`` is a module, an attribute of one, an entry point group, or a label of the worker image."""
    if name in _PLUGIN_GROUPS | _IMAGE_LABELS:
        return True
    try:
        pkgutil.resolve_name(name)
    except (ImportError, AttributeError):
        return False
    return True


def test_the_readme_names_every_make_target() -> None:
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8")
    (phony,) = re.findall(r"^\.PHONY: (.*)$", makefile, re.MULTILINE)
    (tiers,) = re.findall(r"^TIERS := (.*)$", makefile, re.MULTILINE)
    phony = phony.replace("$(TIERS:%=test-%)", " ".join(f"test-{tier}" for tier in tiers.split()))
    readme = (CHECKOUT / "README.md").read_text(encoding="utf-8")
    unnamed = [target for target in phony.split() if target != "help" and f"`make {target}`" not in readme]
    assert unnamed == []


def test_ci_runs_the_commands_for_contributors() -> None:
    last = (CHECKOUT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "make check"
    assert f"$ {last}" in (CHECKOUT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_every_page_is_in_a_table_of_contents() -> None:
    """Of the start page or of the index of its folder; the tables appear on the site as `measurements`."""
    listed: set[str] = set()
    for index in (DOCS / "index.md", *DOCS.glob("*/index.md")):
        folder = index.parent.relative_to(DOCS).as_posix()
        listed |= {
            f"{folder}/{line}".removeprefix("./") for line in index.read_text(encoding="utf-8").splitlines()
        }
    names = {
        f"measurements/{page.stem}"
        if page.parent == TABLES
        else page.relative_to(DOCS).with_suffix("").as_posix()
        for page in SITE
    }
    assert names - listed == {"index"}


@pytest.mark.parametrize("kind", DiagnosticKind)
def test_every_kind_of_finding_is_explained(kind: DiagnosticKind) -> None:
    assert f"| {kind} |" in (CHECKOUT / "docs" / "reference" / "emulator.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("verdict", Verdict)
def test_every_verdict_is_explained(verdict: Verdict) -> None:
    assert f"| `{verdict}` |" in (CHECKOUT / "docs" / "student" / "how-grading-works.md").read_text(
        encoding="utf-8"
    )


@pytest.mark.parametrize("short", DEVICES)
def test_every_device_that_can_be_imitated_is_listed(short: str) -> None:
    device = DEVICES[short]
    row = f"| `{short}` | `{device.name}` | `{device.arch}`"
    assert row in (CHECKOUT / "docs" / "reference" / "emulator.md").read_text(encoding="utf-8")


def test_the_operations_that_the_emulator_knows_are_listed() -> None:
    page = (CHECKOUT / "docs" / "reference" / "emulator.md").read_text(encoding="utf-8")
    table = re.findall(
        r"^\| .* \| (`.*) \|$", page.split("## Supported operations")[1].split("## ")[0], re.MULTILINE
    )
    assert {name for row in table for name in re.findall(r"`(\w+)`", row)} == set(HANDLERS)
