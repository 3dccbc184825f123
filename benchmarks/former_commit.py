"""A former commit of Grader beside this checkout, to measure both on one machine in one run."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

from tools.paths import CHECKOUT
from tools.tar import unpack_tar


def git(*command: str) -> bytes:
    """What git answers in this checkout."""
    full = [shutil.which("git") or "git", "-C", str(CHECKOUT), *command]
    return subprocess.run(full, capture_output=True, check=True).stdout


def full_name(commit: str) -> str:
    """The whole name of a commit."""
    return git("rev-parse", commit).decode().strip()


def present_name() -> str:
    """The short name of the commit of this checkout, marked where files differ from it."""
    return git("describe", "--always", "--dirty", "--abbrev=7").decode().strip()


def extract(commit: str, folder: Path) -> None:
    """Write the files of ``commit`` into ``folder``."""
    unpack_tar(git("archive", "--format=tar", commit), folder)


def python_of(checkout: Path, folder: Path) -> str:
    """A Python, made in ``folder``, that imports Grader from ``checkout`` and has all other packages of this one.

    Workers ignore ``PYTHONPATH``, and the compilers' libraries are looked for in the environment's own folder.
    """
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    ours = Path(sysconfig.get_path("purelib"))
    shutil.copytree(ours, packages, copy_function=_linked, ignore=_editable, dirs_exist_ok=True)
    (packages / "grader-checkout.pth").write_text(f"{checkout}{os.linesep}", encoding="utf-8")
    return str(folder / "bin" / "python")


def _editable(folder: str, names: list[str]) -> set[str]:
    """The files that put this checkout on the path."""
    checkout = str(CHECKOUT).encode()
    files = (Path(folder) / name for name in names if name.endswith(".pth"))
    return {path.name for path in files if checkout in path.read_bytes()}


def _linked(source: str, target: str) -> None:
    """Make ``target`` a second name of the file ``source`` where one file system has both, else a copy."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
