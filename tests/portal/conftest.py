"""The portal of a small course; see ``tests.portal.client.Portal`` and ``tools.portal_course``."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.config import load
from grader.course.workspace import Workspace
from grader.portal.app import create_app
from tests.portal.client import Portal
from tools import portal_course
from tools.shared_results import shared


@pytest.fixture(scope="session")
def packed_course(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The small course, graded once for all tests of a run."""

    def made() -> bytes:
        folder = tmp_path_factory.mktemp("course")
        portal_course.prepare(folder)
        return portal_course.packed(folder)

    return shared(b"the course of the portal", made)


def _portal(packed: bytes, folder: Path) -> Iterator[Portal]:
    portal_course.unpack(packed, folder)
    app = create_app(Workspace(config=load(folder)))
    yield Portal(app=app, folder=folder)
    app.state.server.workspace.close()


@pytest.fixture
def portal(packed_course: bytes, tmp_path: Path) -> Iterator[Portal]:
    """A portal of the test's own, which it may change."""
    yield from _portal(packed_course, tmp_path)


@pytest.fixture(scope="module")
def read_portal(packed_course: bytes, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Portal]:
    """A portal that the tests of a module share, and only read."""
    yield from _portal(packed_course, tmp_path_factory.mktemp("portal"))
