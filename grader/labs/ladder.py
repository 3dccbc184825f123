"""The ladder of a lab: the order in which its reference kernels must get faster."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from grader.labs.manifest import Manifest
from grader.model.submission import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class RungKernel:
    """The names of a rung and of one of its kernels."""

    rung: str
    kernel: str

    def __str__(self) -> str:
        return f"{self.kernel} of {self.rung}"


def tasks(manifest: Manifest) -> list[list[str]]:
    """Groups of kernels with the same task, by name: one group if agreement earns points, else one per kernel."""
    names = list(manifest.graded)
    return [names] if manifest.rubric.agreement else [[name] for name in names]


def ladders(manifest: Manifest, language: Language) -> Iterator[list[RungKernel]]:
    """The ladders in ``language``, slowest rung first: one for each group of kernels with the same task.

    All kernels of a lab with points for agreement have the same task; otherwise each kernel has a ladder of its own.
    Rungs with ``no_gain`` in ``language`` are left out.
    """
    for task in tasks(manifest):
        yield [
            RungKernel(rung=rung.name, kernel=kernel)
            for rung in manifest.rungs
            if language not in rung.no_gain
            for kernel in rung.kernels
            if kernel in task
        ]


def steps(ladder: list[RungKernel]) -> list[tuple[RungKernel, RungKernel]]:
    """Pairs of consecutive rungs of ``ladder``: the second must not be slower than the first.

    Two kernels of the same rung form no pair.
    """
    return [(lower, higher) for lower, higher in pairwise(ladder) if lower.rung != higher.rung]
