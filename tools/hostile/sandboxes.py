"""Sandboxes with workers that can load ``tools.hostile.language``."""

import tarfile
import threading
import uuid
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from io import BytesIO
from pathlib import Path
from unittest.mock import patch

from grader.sandbox.bubblewrap import BubblewrapSandbox
from grader.sandbox.builtin import BUBBLEWRAP, DOCKER, PROCESS
from grader.sandbox.docker import DockerSandbox
from grader.sandbox.docker.engine import connect
from grader.sandbox.docker.image import DEFAULT_IMAGE, tagged
from grader.sandbox.port import Sandbox
from grader.sandbox.process import ProcessSandbox
from grader.sandbox.system_files import loaded_by_workers

_FOLDER = Path(__file__).parent
_IN_THE_IMAGE = "/opt/grader/code/tools/hostile"


@contextmanager
def hostile_bubblewrap(cancelled: threading.Event | None = None) -> Iterator[Sandbox]:
    """A bubblewrap sandbox in which workers see this package as well."""
    seen = (*loaded_by_workers(), _FOLDER)
    with (
        patch("grader.sandbox.bubblewrap.loaded_by_workers", return_value=seen),
        BubblewrapSandbox(cancelled) as sandbox,
    ):
        yield sandbox


@contextmanager
def hostile_docker(cancelled: threading.Event | None = None) -> Iterator[Sandbox]:
    """A Docker sandbox with an image that holds this package as well; the image is removed at the end."""
    name = f"grader-worker-hostile:{uuid.uuid4().hex[:8]}"
    client = connect()
    try:
        client.images.build(fileobj=_context(), custom_context=True, tag=name, rm=True, network_mode="none")
        try:
            with DockerSandbox(cancelled, name) as sandbox:
                yield sandbox
        finally:
            client.images.remove(name, force=True)
    finally:
        client.close()


HOSTILE_SANDBOXES: dict[str, Callable[[threading.Event | None], AbstractContextManager[Sandbox]]] = {
    BUBBLEWRAP: hostile_bubblewrap,
    DOCKER: hostile_docker,
    PROCESS: ProcessSandbox,
}
"""A context manager for each kind of sandbox; its argument is the event that cancels all requests."""


def _context() -> BytesIO:
    """The build context: a Dockerfile and this package."""
    packed = BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as tar:
        text = f"FROM {tagged(DEFAULT_IMAGE)}\nCOPY hostile {_IN_THE_IMAGE}/\n".encode()
        entry = tarfile.TarInfo("Dockerfile")
        entry.size = len(text)
        tar.addfile(entry, BytesIO(text))
        for path in sorted(_FOLDER.glob("*.py")):
            tar.add(path, f"hostile/{path.name}")
    packed.seek(0)
    return packed
