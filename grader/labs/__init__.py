"""The public plugin API of labs, and their registry.

A plugin author needs ``Lab``, ``Expected``, ``Arrays``, ``Case`` and ``Catalogue``; ``RowWise``
is a lab that needs only its oracle, ``BlockSums`` one whose kernel is launched until one value is left;
``draw``, ``float32_product``, ``int32_product`` and ``summation_scale`` spare the usual inputs and
the usual error analysis. Nothing else is promised.
"""

from grader.labs.distributions import draw
from grader.labs.families import BlockSums, RowWise, float32_product, int32_product, summation_scale
from grader.labs.lab import Arrays, Expected, Lab
from grader.labs.manifest import Case
from grader.labs.registry import Catalogue

__all__ = [
    "Arrays",
    "BlockSums",
    "Case",
    "Catalogue",
    "Expected",
    "Lab",
    "RowWise",
    "draw",
    "float32_product",
    "int32_product",
    "summation_scale",
]
