"""Keys that identify a grading, so that an identical one need not run again."""

import functools
import hashlib
import os
from dataclasses import astuple, dataclass
from pathlib import Path

import msgspec

import grader
from grader.model.report import EngineInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class RunKey:
    """All inputs that determine a report. A digest is a SHA-256 in hexadecimal.

    ``submission`` is ``Submission.digest``, ``lab_version`` covers the lab's folder and its reference kernels
    (``folder_digest``), ``grader`` is ``grader_digest()``, ``options`` covers limits and scoring
    (``options_digest``).
    """

    student: str
    lab: str
    submission: str
    lab_version: str
    grader: str
    engine: EngineInfo
    options: str

    @property
    def digest(self) -> str:
        """SHA-256 over all of it."""
        return options_digest(astuple(self))

    @property
    def submission_key(self) -> "SubmissionKey":
        """The same key without the grader's version and options."""
        return SubmissionKey(
            student=self.student,
            lab=self.lab,
            submission=self.submission,
            lab_version=self.lab_version,
            engine=self.engine,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionKey:
    """One submission to one version of a lab, on one device. The fields are those of ``RunKey``."""

    student: str
    lab: str
    submission: str
    lab_version: str
    engine: EngineInfo

    @property
    def digest(self) -> str:
        """SHA-256 over all of it."""
        return options_digest(astuple(self))


def folder_digest(*folders: Path) -> str:
    """SHA-256 over the names and bytes of all files below ``folders``, in the order given.

    Hidden files, Python's caches and the folder's path do not count. A missing folder has a distinct digest.
    Raises: ``OSError`` if a file cannot be read.
    """
    digest = hashlib.sha256()
    for folder in folders:
        digest.update(b"\1" if folder.is_dir() else b"\0")
        for name, path in sorted(_files(folder)):
            digest.update(len(name).to_bytes(8) + name)
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def _files(folder: Path) -> list[tuple[bytes, Path]]:
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if not _ignored(name)]
        paths = [Path(where, name) for name in names if not _ignored(name)]
        found += [(os.fsencode(path.relative_to(folder)), path) for path in paths if path.is_file()]
    return found


def _ignored(name: str) -> bool:
    return name.startswith(".") or name == "__pycache__"


@functools.cache
def grader_digest() -> str:
    """The digest of the installed package, so that a changed grader grades again."""
    return folder_digest(*map(Path, grader.__path__))


def options_digest(options: object) -> str:
    """SHA-256 over ``options`` as JSON: frozen dataclasses, enumerations, numbers, text and containers of them."""
    return hashlib.sha256(msgspec.json.encode(options, order="deterministic")).hexdigest()
