"""The base class of all labs."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.by_value import passed
from grader.labs.expected import Expected
from grader.labs.geometry import evaluate, launch_shape
from grader.labs.manifest import Case, Manifest
from grader.labs.steps import Steps, role_of
from grader.model.kernel import KernelSpec
from grader.model.plan import Buffer, Geometry, Launch, LaunchPlan, LaunchShape

Arrays = dict[str, NDArray[Any]]
"""Arrays by parameter name."""


class Lab(ABC):
    """One lab. A subclass defines inputs and expected outputs; everything else is in ``lab.toml``."""

    def __init__(self, manifest: Manifest, folder: Path, reference: Path) -> None:
        """``folder`` holds ``lab.toml``; ``reference`` holds the rungs' sources."""
        self.manifest = manifest
        self.folder = folder
        self.reference = reference

    @property
    def name(self) -> str:
        """The lab's name, as in paths and commands."""
        return self.manifest.name

    @property
    def common(self) -> Path | None:
        """The folder of the code that its rungs share with those of other labs, if any."""
        return None if self.manifest.common is None else self.reference.parent / self.manifest.common

    @property
    def folders(self) -> tuple[Path, ...]:
        """All folders of the lab: its own, that of its rungs, and that of shared code."""
        return (self.folder, self.reference, *([] if self.common is None else [self.common]))

    @abstractmethod
    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Fresh input arrays for ``case``: one per array parameter that is read, in its declared type and shape."""

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """The expected value of every output, computed with NumPy in float64 or exact integers.

        A lab without it has a ``check``.
        """
        del case, inputs
        return {}

    def check(
        self, case: Case, inputs: Mapping[str, NDArray[Any]], outputs: Mapping[str, NDArray[Any]]
    ) -> str | None:
        """What is wrong with ``outputs``, in one clause for the student; ``None`` if nothing is.

        It sees all outputs at once: for invariants, for answers of which there are many, for statistics. It runs after
        the outputs that the oracle names were found right, and on some timed launches, with inputs drawn again.
        """
        del case, inputs, outputs
        return None

    @property
    def checks(self) -> bool:
        """Whether the lab has a ``check`` of its own."""
        return type(self).check is not Lab.check

    def steps(self, kernel: KernelSpec, case: Case, steps: Steps) -> None:
        """Launch what computes the answer of ``kernel``, or of a program of that name: by default the kernel, once.

        A lab of several launches overrides this method; see ``Steps``.
        """
        del case
        steps.launch(kernel.name)

    @property
    def has_steps(self) -> bool:
        """Whether the lab has ``steps`` of its own."""
        return type(self).steps is not Lab.steps

    def plan(self, kernel: KernelSpec, case: Case, shape: LaunchShape) -> LaunchPlan:
        """The launches of ``kernel`` on ``case``: by default one, with sizes passed by name and arrays as declared."""
        buffers = tuple(
            Buffer(
                name=param.name,
                dtype=param.dtype,
                shape=tuple(extent(dim, case.sizes) for dim in param.dims),
                role=role_of(param),
                fixed=param.fixed,
            )
            for param in kernel.params
            if param.is_array
        )
        numbers = {**case.sizes, **case.values}
        args = tuple(
            passed(param, param.name if param.is_array else numbers[param.name]) for param in kernel.params
        )
        return LaunchPlan(buffers=buffers, launches=(Launch(kernel=kernel.name, shape=shape, args=args),))

    def plan_for(
        self, kernel: KernelSpec, case: Case, geometry: Geometry, names: Mapping[str, int]
    ) -> LaunchPlan:
        """``plan`` with the shape of ``geometry``, evaluated with ``names``: the case's sizes and macros.

        Raises: ``GeometryError``.
        """
        return self.plan(kernel, case, launch_shape(geometry, names))


def extent(dim: str, sizes: Mapping[str, int]) -> int:
    """The value of one array dimension: a number, or an expression of the case's sizes such as ``rows + 1``.

    Raises: ``GeometryError``.
    """
    return evaluate(dim, sizes)
