"""The public plugin API for labs.

A lab author needs ``Lab``, ``Expected``, ``Arrays``, ``Case`` and ``Catalogue``, and ``Steps`` and ``KernelSpec`` for
launches that no manifest can list.
``RowWise`` is a base class for labs
that compute one number per matrix row, ``BlockSums`` for labs that launch a kernel until one value is left.
``draw`` generates common inputs; ``float32_product``, ``int32_product`` and ``summation_scale`` provide common oracles
and error scales. Every other name in this package may change without notice.
"""

from grader.labs.distributions import draw
from grader.labs.expected import Expected
from grader.labs.families import BlockSums, RowWise, float32_product, int32_product, summation_scale
from grader.labs.lab import Arrays, Lab
from grader.labs.manifest import Case
from grader.labs.registry import Catalogue
from grader.labs.steps import Steps
from grader.model.kernel import KernelSpec

__all__ = [
    "Arrays",
    "BlockSums",
    "Case",
    "Catalogue",
    "Expected",
    "KernelSpec",
    "Lab",
    "RowWise",
    "Steps",
    "draw",
    "float32_product",
    "int32_product",
    "summation_scale",
]
