"""The sizes at which a lab's kernels are timed and modelled beside its own timing cases."""

import tomllib
from dataclasses import dataclass

from grader.labs.geometry import evaluate
from tools.paths import CHECKOUT

FOLDER = CHECKOUT / "benchmarks" / "problem_sizes"
"""One file for each lab, ``<lab>.toml``."""

Sizes = tuple[tuple[str, int], ...]
"""A problem's sizes by name, in the lab's order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SizesOfLab:
    """``more`` is timed beside the lab's own cases.

    ``part`` are the largest sizes that are emulated: enough for every block to look like those of the whole problem.
    ``work`` is the expression of the sizes that the work grows with.
    """

    more: tuple[dict[str, int], ...]
    part: dict[str, int]
    work: str

    @classmethod
    def of(cls, lab: str) -> "SizesOfLab":
        """Those of the lab called ``lab``. Raises: ``OSError`` where there are none."""
        table = tomllib.loads((FOLDER / f"{lab}.toml").read_text(encoding="utf-8"))
        return cls(more=tuple(table["sizes"]), part=table["part"], work=table["work"])

    def part_of(self, sizes: Sizes) -> Sizes:
        """``sizes``, or what of them can be emulated."""
        return tuple((name, min(size, self.part.get(name, size))) for name, size in sizes)

    def times(self, sizes: Sizes) -> float:
        """The work of ``sizes`` as a multiple of that of their part."""
        return evaluate(self.work, dict(sizes)) / evaluate(self.work, dict(self.part_of(sizes)))
