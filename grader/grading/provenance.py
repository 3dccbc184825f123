"""Provenance of a table of times: versions, driver, device, commit, date."""

import os
import platform
import re
import shutil
import subprocess
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from grader import __version__
from grader.digests import grader_digest
from grader.engines.registry import support
from grader.model.ladder import Provenance
from grader.model.run import EngineKind
from grader.sandbox.gpu import chosen_uuid

COMMIT_VARIABLE = "GRADER_COMMIT"
"""Environment variable that names the commit of a copy without git's records."""

_PACKAGES = (
    *("cupy-cuda13x", "cupy-cuda12x", "cupy", "cuda-bindings", "numba", "numba-cuda", "llvmlite", "numpy"),
    *("nvidia-cuda-nvrtc", "nvidia-nvjitlink", "nvidia-nvvm"),
)

_DRIVER = Path("/proc/driver/nvidia/version")
_RELEASE = re.compile(r"\b\d{3,}(?:\.\d+)+\b")

_GIT_SECONDS = 10.0


def provenance(engine: EngineKind, labs: Path) -> Provenance:
    """Provenance of a run on ``engine`` that starts now; ``labs`` is a folder in the checkout with the labs."""
    on_gpu = support(engine).on_gpu
    found = commit(labs)
    return Provenance(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        grader_version=__version__,
        grader_digest=grader_digest(),
        driver=_driver() if on_gpu else "",
        system=platform.platform(),
        python=platform.python_version(),
        commit=found,
        changed=bool(found and _git(labs, "status", "--porcelain", "--", ".")),
        gpu=chosen_uuid() if on_gpu else "",
        packages=packages(),
    )


def commit(folder: Path) -> str:
    """The commit that ``GRADER_COMMIT`` names, or else the one checked out in ``folder``; empty without either."""
    return os.environ.get(COMMIT_VARIABLE) or _git(folder, "rev-parse", "HEAD")


def packages() -> dict[str, str]:
    """Installed releases of the packages that build and run kernels, by distribution."""
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _driver() -> str:
    """Driver release, such as 580.159.04; the driver's whole first line if it contains no release."""
    if not _DRIVER.is_file():
        return ""
    text = _DRIVER.read_text("utf-8").splitlines()[0].strip()
    release = _RELEASE.search(text)
    return text if release is None else release.group()


def _git(folder: Path, *words: str) -> str:
    """Output of git; empty without git or a checkout, because a table of times does not need it."""
    git = shutil.which("git")
    if git is None:
        return ""
    try:
        completed = subprocess.run(  # noqa: S603 - fixed arguments, no shell
            [git, "-C", str(folder), *words],
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    return completed.stdout.strip() if completed.returncode == 0 else ""
