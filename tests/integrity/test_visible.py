"""Code in the build sandbox can read no lab, no other submission and no secret, so no message can carry one."""

from collections.abc import Iterator

import pytest

from grader.config.settings import SandboxSettings
from grader.labs.builtin import catalogue
from grader.model.build import Translation
from grader.sandbox.choice import offers_of
from grader.sandbox.offer import Offer
from grader.sandbox.port import Sandbox
from grader.worker.messages import RequestKind
from tools.hostile.sandboxes import HOSTILE_SANDBOXES
from tools.messages import english
from tools.paths import CHECKOUT
from tools.worker_requests import HOSTILE_BUILD, request

MIB = 2**20

SEARCH = """
import os
names = set({names!r})
found = []
for folder, folders, files in os.walk("/"):
    if folder in ("/proc", "/sys"):
        folders.clear()
    found += [os.path.join(folder, name).replace("/", "|") for name in files if name in names]
assert False, f"found {{len(found)}}: {{found[:5]}}"
"""
IMPORT = """
import importlib.util, pathlib
import grader
here = pathlib.Path(grader.__file__).parent
beside = [path.name for folder in (here, here.parent) for path in folder.glob("*")]
labs = [str(path.name) for path in here.joinpath("labs").rglob("*")]
assert False, f"labs {{labs[:5]}}, assignments {{'assignments' in beside}}, reference {{'reference' in beside}}"
"""

HOST_FILES = [
    "/etc/shadow",
    "/root/.ssh/id_rsa",
    "/var/run/docker.sock",
    "/dev/mem",
    "/dev/sda",
]
OPEN = """
opened = []
for path in {paths!r}:
    try:
        open(path, "rb").close()
    except OSError:
        continue
    opened.append(path.replace("/", "|"))
assert False, f"opened {{opened}}"
"""


_ISOLATING = [offer for offer in offers_of(SandboxSettings()) if offer.isolates]


@pytest.fixture(scope="module", params=_ISOLATING, ids=lambda offer: offer.name)
def sandbox(request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    """Return each sandbox that Grader offers for hostile code."""
    offer: Offer = request.param
    problem = offer.unavailable()
    if problem is not None:
        pytest.skip(problem)
    with HOSTILE_SANDBOXES[offer.name](None) as opened:
        yield opened


def printed_by(sandbox: Sandbox, source: str) -> str:
    """Return what code that runs in a build worker can report."""
    asked = request(source, "mine.py")
    with sandbox.worker(HOSTILE_BUILD) as worker:
        answer = worker.ask(RequestKind.TRANSLATE, asked, Translation, seconds=120, reply_bytes=64 * MIB)
    assert answer.fault is not None
    return english(answer.fault.reason)


def secrets() -> set[str]:
    """Return the names of files that no student may read: model answers, mutants and hidden cases.

    Python files are left out: other packages have files of the same names.
    """
    places = catalogue()
    return {
        path.name
        for root in (places.reference, places.labs)
        for path in root.rglob("*")
        if path.suffix in {".cu", ".cuh", ".toml"}
    }


def test_there_are_secrets_to_be_found() -> None:
    here = {path.name for path in CHECKOUT.joinpath("reference").rglob("*")}
    assert len(secrets() & here) > 10


def test_no_file_of_a_lab_is_anywhere(sandbox: Sandbox) -> None:
    assert "found 0: []" in printed_by(sandbox, SEARCH.format(names=sorted(secrets())))


def test_the_package_comes_without_its_labs(sandbox: Sandbox) -> None:
    assert "labs [], assignments False, reference False" in printed_by(sandbox, IMPORT.format())


def test_files_of_the_host_are_not_there(sandbox: Sandbox) -> None:
    assert "opened []" in printed_by(sandbox, OPEN.format(paths=HOST_FILES))
