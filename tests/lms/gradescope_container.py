"""A container laid out as Gradescope's, made with bubblewrap: no network, and only ``/autograder`` can be written."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.cache import cache_folder
from grader.sandbox.bubblewrap import unavailable
from tools.paths import CHECKOUT

PROBLEM = unavailable()
"""Why bubblewrap cannot be used here, if it cannot."""

_TEMPORARY = tempfile.gettempdir()
_PACKAGES = Path(sysconfig.get_path("purelib"))

_PYTHON = str(Path(sys.base_prefix) / "bin" / "python3")
_OWN = ("grader", "_grader", "__pycache__", "pip", "setuptools", "distutils", "_distutils", "pkg_resources")
"""What an environment has itself, or gets from the wheel."""

METADATA: dict[str, Any] = {
    "id": 216000001,
    "created_at": "2026-06-10T14:14:00.000000+02:00",
    "assignment": {"due_date": "2026-06-18T23:59:00.000000+02:00", "late_due_date": None},
    "users": [{"email": "ada@example.edu", "id": 77, "name": "Ada Example"}],
    "submission_method": "upload",
    "previous_submissions": [],
}


def previous(hour: int, *, failed: bool = False, limited: bool = False) -> dict[str, Any]:
    """An earlier submission of the same day."""
    extra = {"grader_rate_limited": True} if limited else {}
    results = {"score": float(hour), "tests": [], "output": "earlier", "extra_data": extra}
    return {
        "submission_time": f"2026-06-10T{hour:02}:00:00.000000+02:00",
        "score": str(hour),
        "results": {} if failed else results,
        "autograder_error": failed,
    }


@dataclass(frozen=True, slots=True)
class Container:
    """A folder that the container sees as ``/autograder``."""

    root: Path

    def unpack(self, archive: Path) -> None:
        """Lay out the sources as Gradescope does: unpacked, with the scripts executable."""
        source = self.root / "source"
        with zipfile.ZipFile(archive) as opened:
            opened.extractall(source)
        shutil.copy(source / "run_autograder", self.root / "run_autograder")
        for script in (source / "setup.sh", self.root / "run_autograder"):
            script.chmod(0o755)

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        """Run ``command`` inside, as root of the container. The interpreter's packages stand in for an index."""
        binds = [
            option
            for entry in sorted(Path("/").iterdir())
            if entry.name not in {"autograder", "proc", "dev", "tmp"}
            for option in (
                ("--symlink", str(entry.readlink()), f"/{entry.name}")
                if entry.is_symlink()
                else ("--ro-bind", str(entry), f"/{entry.name}")
            )
        ]
        # What lies below the temporary folder outside is not there inside, unless it is the interpreter's own.
        own = ("--ro-bind", str(CHECKOUT), str(CHECKOUT)) if CHECKOUT.is_relative_to(_TEMPORARY) else ()
        environment = {**os.environ, "PIP_NO_INDEX": "1", "PYTHON": _PYTHON, "HOME": _TEMPORARY}
        environment.pop("GRADER_CACHE_DIR", None)
        return subprocess.run(
            [
                *("bwrap", *binds, "--proc", "/proc", "--dev", "/dev", "--tmpfs", _TEMPORARY, *own),
                *("--bind", str(self.root), "/autograder", "--unshare-net", "--die-with-parent"),
                *_stand_ins(),
                *("--chdir", "/autograder", "--", "bash", "-c", command),
            ],
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    def grade(self, files: dict[str, str], **metadata: Any) -> tuple[dict[str, Any] | None, str]:
        """The results of a submission of ``files``, if there are any, and what was printed."""
        for name in ("submission", "results"):
            shutil.rmtree(self.root / name, ignore_errors=True)
            (self.root / name).mkdir()
        for name, text in files.items():
            (self.root / "submission" / name).write_text(text, encoding="utf-8")
        described = json.dumps(METADATA | metadata)
        (self.root / "submission_metadata.json").write_text(described, encoding="utf-8")
        done = self.run("/autograder/run_autograder")
        results = self.root / "results" / "results.json"
        found = json.loads(results.read_bytes()) if results.exists() else None
        assert (found is None) is (done.returncode != 0), done.stderr
        return found, done.stdout + done.stderr


def _stand_ins() -> list[str]:
    """Mount this interpreter's packages where pip would install them, and what it compiled of the same code.

    So pip finds every requirement, checks it against the constraints, and needs no index.
    """
    source = Path("/autograder/source")
    site = source / "environment" / _PACKAGES.relative_to(sys.prefix)
    cache_folder().mkdir(parents=True, exist_ok=True)
    packages = [path for path in sorted(_PACKAGES.iterdir()) if not path.name.lower().startswith(_OWN)]
    mounted = [option for path in packages for option in ("--ro-bind", str(path), str(site / path.name))]
    return [*mounted, "--bind", str(cache_folder()), str(source / "cache")]
