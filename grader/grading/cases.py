"""Draw the inputs of a case, and compute the expected answer."""

from dataclasses import dataclass

import numpy as np

from grader.errors import LabError
from grader.labs.lab import Arrays, Expected, Lab
from grader.labs.manifest import Case

REFERENCE_SEED = 20240229
"""Seed of the inputs for a lab's own kernels. It is fixed, so that two validations or two tables of times differ by
the lab or the device alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseInputs:
    """Every array that the kernels read, by name (row-major, contiguous), and the bytes that it is a view of."""

    case: Case
    arrays: Arrays
    data: dict[str, bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCase:
    """The inputs of a case and the outputs that the oracle expects for them."""

    inputs: CaseInputs
    expected: dict[str, Expected]


def draw_inputs(lab: Lab, case: Case, seed: int) -> CaseInputs:
    """Draw the inputs of ``case``; equal seeds give equal inputs. Raises: ``LabError``.

    The sizes of ``case`` may differ from those of the manifest's case with the same name.
    """
    index = [known.name for known in lab.manifest.cases].index(case.name)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
    try:
        arrays = lab.inputs(case, rng)
    except Exception as error:
        raise lab_error(lab, case, error) from error
    data = {name: array.tobytes() for name, array in arrays.items()}
    views = {
        name: np.frombuffer(data[name], array.dtype).reshape(array.shape) for name, array in arrays.items()
    }
    return CaseInputs(case=case, arrays=views, data=data)


def prepare(lab: Lab, case: Case, seed: int) -> PreparedCase:
    """Draw inputs and compute the oracle's answer. Raises: ``LabError`` if the lab's code fails."""
    inputs = draw_inputs(lab, case, seed)
    try:
        return PreparedCase(inputs=inputs, expected=lab.oracle(case, inputs.arrays))
    except Exception as error:
        raise lab_error(lab, case, error) from error


def lab_error(lab: Lab, case: Case, error: Exception) -> LabError:
    """The error for ``error``, which the code of ``lab`` raised for ``case``."""
    return LabError(f"lab {lab.name}, case {case.name}: {type(error).__name__}: {error}")
