"""Winnowing: choose few fingerprints of a sequence, so that any long run that two sequences share has one in common.

Schleimer, Wilkerson, Aiken: "Winnowing: Local Algorithms for Document Fingerprinting", SIGMOD 2003. The hashes are of
all runs of ``gram`` symbols; of each ``window`` consecutive hashes the least is a fingerprint. Two sequences with a
common run of at least ``gram + window - 1`` symbols have a common fingerprint; a run shorter than ``gram`` gives none.

A name in a symbol counts only as the first, second, ... name of its run: a consistent renaming changes no hash, and a
name that is used earlier changes no later one. (Baker, "A theory of parameterized pattern matching", STOC 1993.)
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.model.similarity import Fingerprint

_DIGEST_BYTES = 8


@dataclass(frozen=True, slots=True)
class Symbol:
    """One token or instruction: ``text`` without its names, the ``names`` in their order, and its source line."""

    text: str
    names: tuple[str, ...] = ()
    file: str = ""
    line: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Winnowing:
    """The sizes of runs and windows, in symbols and hashes."""

    gram: int
    window: int

    @property
    def guaranteed(self) -> int:
        """Symbols of the shortest shared run that is sure to be found."""
        return self.gram + self.window - 1

    def fingerprints(self, symbols: Sequence[Symbol]) -> tuple[Fingerprint, ...]:
        """The fingerprints of one sequence, in its order."""
        hashes = [run_hash(run) for run in _runs(symbols, self.gram)]
        return tuple(
            Fingerprint(hash=hashes[at], lines=_lines(symbols[at : at + self.gram]))
            for at in _least_of_windows(hashes, self.window)
        )


def run_hash(run: Sequence[Symbol]) -> int:
    """The hash of a run of symbols; equal in every process."""
    ordinals: dict[str, int] = {}
    parts = []
    for symbol in run:
        parts.append(symbol.text)
        parts += [f"\x1f{ordinals.setdefault(name, len(ordinals))}" for name in symbol.names]
    text = "\x1e".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(text, digest_size=_DIGEST_BYTES).digest())


def _runs(symbols: Sequence[Symbol], size: int) -> Iterator[Sequence[Symbol]]:
    return (symbols[at : at + size] for at in range(len(symbols) - size + 1))


def _least_of_windows(hashes: Sequence[int], window: int) -> Iterator[int]:
    """The position of the least hash of each window, the last of equal ones; each position once."""
    chosen = -1
    for start in range(max(len(hashes) - window + 1, min(len(hashes), 1))):
        positions = range(start, min(start + window, len(hashes)))
        least = min(positions, key=lambda at: (hashes[at], -at))
        if least != chosen:
            yield least
            chosen = least


def _lines(run: Sequence[Symbol]) -> tuple[tuple[str, int], ...]:
    return tuple(sorted({(symbol.file, symbol.line) for symbol in run if symbol.line is not None}))
