"""The worker image that belongs to this version of Grader."""

import hashlib
from functools import cache
from pathlib import Path

import grader
from grader.compile import toolchain

LABEL = "grader.worker"
"""Label of a worker image; its value is the ``digest`` of its sources."""

GPU_LABEL = "grader.gpu"
"""Label of a worker image; its value is the package installed for workers with a GPU, or empty."""

DEFAULT_IMAGE = "grader-worker"

HOW_TO_BUILD = "`make image` builds it (docs/operator/worker-image.md)"

HOW_TO_BUILD_FOR_A_GPU = (
    "Make one that does (`make image IMAGE=grader-worker-gpu GPU=cupy-cuda13x`) and name it as sandbox.image in "
    "grader.toml."
)

_PACKAGE = Path(grader.__file__).parent
_CARRIED = (
    "__init__.py",
    "errors.py",
    "cache.py",
    "references.py",
    "plugins.py",
    "model",
    "messages",
    "languages",
    "compile",
    "engines",
    "worker",
)
"""What the Dockerfile copies into the image: the packages that a worker imports, without labs."""

_DIGITS = 16


@cache
def digest() -> str:
    """A digest of the worker's sources and of this installation's compilers.

    A grader uses only an image with its own digest, because it stores results under the compilers it has itself.
    Raises: ``UserError`` where a compiler is not installed.
    """
    found = hashlib.sha256(repr(sorted(toolchain().items())).encode())
    for path in sources():
        name = path.relative_to(_PACKAGE).as_posix()
        found.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return found.hexdigest()[:_DIGITS]


def tagged(image: str) -> str:
    """``image`` with its own tag, or else with this version's, so that several versions can share an engine."""
    name = image.rpartition("/")[2]
    return image if ":" in name or "@" in name else f"{image}:{digest()}"


def sources() -> list[Path]:
    """The files of this package in a worker image."""
    found = []
    for name in _CARRIED:
        path = _PACKAGE / name
        found += [path] if path.is_file() else [file for file in path.rglob("*") if _is_source(file)]
    return sorted(found)


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts
