"""The ladder of a lab: which of its reference kernels must be faster than which."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from grader.labs.manifest import Manifest
from grader.model.submission import Language


@dataclass(frozen=True, slots=True, kw_only=True)
class RungKernel:
    """One kernel of one rung, by their names."""

    rung: str
    kernel: str

    def __str__(self) -> str:
        return f"{self.kernel} of {self.rung}"


def tasks(manifest: Manifest) -> list[list[str]]:
    """The kernels that compute the same, by name: all of them where agreement earns points, or else each alone."""
    kernels = [request.spec.name for request in manifest.kernels]
    return [kernels] if manifest.rubric.agreement else [[name] for name in kernels]


def ladders(manifest: Manifest, language: Language) -> Iterator[list[RungKernel]]:
    """The rungs that must rise in ``language``, slowest first: one list for all kernels that compute the same.

    Kernels of a lab that gives points for agreement compute the same; otherwise each has a ladder of its own. Rungs
    that state no gain in ``language`` are left out.
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
    """Neighbours on ``ladder``: the second must not be slower than the first. Kernels of one rung are no step."""
    return [(lower, higher) for lower, higher in pairwise(ladder) if lower.rung != higher.rung]
