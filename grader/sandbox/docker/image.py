"""The worker image: which one belongs to this grader."""

import hashlib
from functools import cache
from pathlib import Path

import grader
from grader.compile import toolchain

LABEL = "grader.worker"
"""Label of a worker image; its value is the ``digest`` of what it was made from."""

GPU_LABEL = "grader.gpu"
"""Label of a worker image; its value is what was installed for workers that hold a GPU, empty for nothing."""

DEFAULT_IMAGE = "grader-worker"

HOW_TO_BUILD = "`make image` builds it (docs/operator/worker-image.md)"

HOW_TO_BUILD_FOR_A_GPU = (
    "Make one that does (`make image IMAGE=grader-worker-gpu GPU=cupy-cuda13x`) and name it as sandbox.image in "
    "grader.toml."
)

_PACKAGE = Path(grader.__file__).parent
_CARRIED = ("__init__.py", "errors.py", "cache.py", "model", "compile", "engines", "worker")
"""What the Dockerfile copies into the image: the rooms a worker imports, and no lab."""

_DIGITS = 16


@cache
def digest() -> str:
    """What tells the worker's sources, with the compilers of this installation, from others.

    A grader speaks only with its own, and what it stores is known by the compilers that it has itself.
    Raises: ``UserError`` where a compiler is not installed.
    """
    found = hashlib.sha256(repr(sorted(toolchain().items())).encode())
    for path in sources():
        name = path.relative_to(_PACKAGE).as_posix()
        found.update(f"{name}\0{path.stat().st_size}\0".encode() + path.read_bytes())
    return found.hexdigest()[:_DIGITS]


def tagged(image: str) -> str:
    """``image`` with a tag: without one of its own, that of this version, so that several may share an engine."""
    name = image.rpartition("/")[2]
    return image if ":" in name or "@" in name else f"{image}:{digest()}"


def sources() -> list[Path]:
    """The files that a worker image has of this package."""
    found = []
    for name in _CARRIED:
        path = _PACKAGE / name
        found += [path] if path.is_file() else [file for file in path.rglob("*") if _is_source(file)]
    return sorted(found)


def _is_source(path: Path) -> bool:
    return path.is_file() and "__pycache__" not in path.parts
