"""A submission as bytes, neither trusted nor parsed here."""

import hashlib
from dataclasses import dataclass
from enum import StrEnum


class Language(StrEnum):
    """The two languages a kernel can be written in."""

    CUDA_C = "cuda-c"
    NUMBA = "numba"

    @property
    def label(self) -> str:
        """The name in messages."""
        return _LABELS[self]


_LABELS = {Language.CUDA_C: "CUDA C", Language.NUMBA: "Numba"}

LANGUAGE_OF_SUFFIX = {".cu": Language.CUDA_C, ".py": Language.NUMBA}
"""The file suffix that determines the language."""

MARKS = {Language.CUDA_C: b"__global__", Language.NUMBA: b"numba"}
"""Bytes without which a file of the language defines no kernel."""

HEADER_SUFFIXES = frozenset({".cuh", ".h", ".hpp"})
"""Files a CUDA C source may include from its own folder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    """One file of a submission: its name inside the submission (POSIX, relative) and its raw bytes."""

    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Submission:
    """One student's work for one lab. ``path`` is its origin, for messages."""

    student: str
    lab: str
    language: Language
    files: tuple[SourceFile, ...]
    path: str

    @property
    def digest(self) -> str:
        """SHA-256 over language, names and contents: equal digests mean the same submission."""
        digest = hashlib.sha256(self.language.encode())
        for file in self.files:
            name = file.name.encode("utf-8", "surrogateescape")
            digest.update(len(name).to_bytes(8) + name + len(file.data).to_bytes(8) + file.data)
        return digest.hexdigest()
