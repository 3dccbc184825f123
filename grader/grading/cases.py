"""Choose the cases to run, draw the inputs of a case, and compute the expected answer."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from grader.errors import LabError
from grader.labs.expected import Expected
from grader.labs.lab import Arrays, Lab, extent
from grader.labs.manifest import Case
from grader.model.report import Visibility
from grader.model.run import EngineKind

REFERENCE_SEED = 20240229
"""Seed of the inputs for a lab's own kernels. It is fixed, so that two validations or two tables of times differ by
the lab or the device alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseInputs:
    """Every array that the kernels read, by name (row-major, contiguous), and the bytes that it is a view of."""

    case: Case
    arrays: Arrays
    data: dict[str, bytes]


Check = Callable[[Arrays], str | None]
"""What a lab's own check finds wrong with outputs. Raises: ``LabError``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCase:
    """The inputs of a case and the outputs that the oracle expects for them; ``check`` is the lab's own, if any."""

    inputs: CaseInputs
    expected: dict[str, Expected]
    check: Check | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseChoice:
    """The cases of a lab to run: all of them, only public ones, or only those with ``names`` unless it is empty."""

    public_only: bool = False
    names: frozenset[str] = frozenset()

    def takes(self, case: Case) -> bool:
        """Whether to run ``case``."""
        if self.public_only and case.visibility is Visibility.HIDDEN:
            return False
        return not self.names or case.name in self.names

    def of(self, lab: Lab, engine: EngineKind) -> tuple[Case, ...]:
        """The cases that ``engine`` supports, public ones first, so that reasons refer to cases the student may see."""
        taken = [case for case in lab.manifest.cases if engine in case.engines and self.takes(case)]
        return tuple(sorted(taken, key=lambda case: case.visibility is Visibility.HIDDEN))


EVERY_CASE = CaseChoice()
PUBLIC_CASES = CaseChoice(public_only=True)


def draw_inputs(lab: Lab, case: Case, seed: int) -> CaseInputs:
    """Draw the inputs of ``case``; equal seeds give equal inputs. Raises: ``LabError``.

    The sizes of ``case`` may differ from those of the manifest's case with the same name.
    """
    index = [known.name for known in lab.manifest.cases].index(case.name)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
    try:
        arrays = {**_zeros(lab, case), **lab.inputs(case, rng)}
    except Exception as error:
        raise lab_error(lab, case, error) from error
    data = {name: array.tobytes() for name, array in arrays.items()}
    views = {
        name: np.frombuffer(data[name], array.dtype).reshape(array.shape) for name, array in arrays.items()
    }
    return CaseInputs(case=case, arrays=views, data=data)


def _zeros(lab: Lab, case: Case) -> Arrays:
    """The arrays that kernels find zeroed."""
    specs = map(lab.manifest.spec, lab.manifest.graded)
    params = {param.name: param for spec in specs for param in spec.params if param.zeroed}
    return {
        name: np.zeros(
            (*(extent(dim, case.sizes) for dim in param.dims), *param.dtype.lanes), param.dtype.numpy
        )
        for name, param in params.items()
    }


def prepare(lab: Lab, case: Case, seed: int) -> PreparedCase:
    """Draw inputs and compute the oracle's answer. Raises: ``LabError`` if the lab's code fails."""
    return prepare_drawn(lab, draw_inputs(lab, case, seed))


def prepare_drawn(lab: Lab, inputs: CaseInputs) -> PreparedCase:
    """Compute the oracle's answer for ``inputs``. Raises: ``LabError`` if the lab's code fails."""
    try:
        expected = lab.oracle(inputs.case, inputs.arrays)
    except Exception as error:
        raise lab_error(lab, inputs.case, error) from error
    return PreparedCase(
        inputs=inputs, expected=expected, check=_check_of(lab, inputs) if lab.checks else None
    )


def _check_of(lab: Lab, inputs: CaseInputs) -> Check:
    def check(outputs: Arrays) -> str | None:
        try:
            return lab.check(inputs.case, inputs.arrays, outputs)
        except Exception as error:
            raise lab_error(lab, inputs.case, error) from error

    return check


def lab_error(lab: Lab, case: Case, error: Exception) -> LabError:
    """The error for ``error``, which the code of ``lab`` raised for ``case``."""
    return LabError(f"lab {lab.name}, case {case.name}: {type(error).__name__}: {error}")
