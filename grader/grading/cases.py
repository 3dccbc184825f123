"""One case made concrete: inputs that did not exist before, and the answer they must lead to."""

from dataclasses import dataclass

import numpy as np

from grader.errors import InfrastructureError
from grader.labs.lab import Expected, Lab
from grader.labs.manifest import Case


@dataclass(frozen=True, slots=True, kw_only=True)
class PreparedCase:
    """``inputs`` are the bytes of every array the kernels read, ``expected`` the oracle's answer."""

    case: Case
    inputs: dict[str, bytes]
    expected: dict[str, Expected]


def prepare(lab: Lab, case: Case, seed: int) -> PreparedCase:
    """Draw ``case``'s inputs from ``seed`` and ask the oracle.

    Raises: ``InfrastructureError`` where the lab's code fails.
    """
    index = lab.manifest.cases.index(case)
    rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
    try:
        arrays = lab.inputs(case, rng)
        expected = lab.oracle(case, arrays)
    except Exception as error:
        msg = f"lab {lab.name}, case {case.name}: {type(error).__name__}: {error}"
        raise InfrastructureError(msg) from error
    return PreparedCase(
        case=case,
        inputs={name: np.ascontiguousarray(array).tobytes() for name, array in arrays.items()},
        expected=expected,
    )
