"""A submission as bytes, neither trusted nor parsed here."""

import hashlib
from dataclasses import dataclass

from grader.model.words import OpenWord


class Language(OpenWord):
    """The key of a language: the name of its entry point. Members are those that Grader brings."""

    CUDA_C = "cuda-c"
    NUMBA = "numba"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file of a submission: its name inside the submission (POSIX, relative) and its raw bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class SubmissionIdentity:
    """What a report says about a submission apart from its content. ``path`` is its origin, for messages."""

    student: str
    lab: str
    language: Language
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One student's work for one lab. ``path`` is its origin, for messages."""

    student: str
    lab: str
    language: Language
    files: tuple[SourceFile, ...]
    path: str

    @property
    def identity(self) -> SubmissionIdentity:
        """The submission without its files."""
        return SubmissionIdentity(student=self.student, lab=self.lab, language=self.language, path=self.path)

    @property
    def digest(self) -> str:
        """SHA-256 over language, names and contents: equal digests mean the same submission."""
        digest = hashlib.sha256(self.language.encode())
        for file in self.files:
            name = file.name.encode("utf-8", "surrogateescape")
            digest.update(len(name).to_bytes(8) + name + len(file.data).to_bytes(8) + file.data)
        return digest.hexdigest()
