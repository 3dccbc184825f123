"""What a table of times was made with: versions, driver, commit, date."""

import platform
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path

from grader import __version__
from grader.model.ladder import Provenance
from grader.model.run import EngineKind
from grader.store.keys import grader_digest

_DRIVER = Path("/proc/driver/nvidia/version")

_GIT_SECONDS = 10.0


def provenance(engine: EngineKind, labs: Path) -> Provenance:
    """That of a run on ``engine`` that begins now; ``labs`` is a folder in the checkout that the labs come from."""
    commit = _git(labs, "rev-parse", "HEAD")
    return Provenance(
        created_at=datetime.now(UTC).isoformat(timespec="seconds"),
        grader_version=__version__,
        grader_digest=grader_digest(),
        driver=_driver() if engine is EngineKind.CUDA else "",
        system=platform.platform(),
        python=platform.python_version(),
        commit=commit,
        changed=bool(commit and _git(labs, "status", "--porcelain", "--", ".")),
    )


def _driver() -> str:
    return _DRIVER.read_text("utf-8").splitlines()[0].strip() if _DRIVER.is_file() else ""


def _git(folder: Path, *words: str) -> str:
    """What git says, empty where there is no git or no checkout: a table of times can do without."""
    git = shutil.which("git")
    if git is None:
        return ""
    try:
        told = subprocess.run(  # noqa: S603 - fixed words, no shell
            [git, "-C", str(folder), *words],
            capture_output=True,
            text=True,
            timeout=_GIT_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return ""
    return told.stdout.strip() if told.returncode == 0 else ""
