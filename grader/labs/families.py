"""Building blocks that labs share: row-wise labs, repeated block sums, matrix products, rounding of sums."""

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs.distributions import draw
from grader.labs.expected import Expected
from grader.labs.geometry import GeometryError, launch_shape
from grader.labs.lab import Arrays, Lab
from grader.labs.manifest import Case
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Buffer, Geometry, Launch, LaunchPlan, Role
from grader.model.reason import reason

FLOAT32_UNIT_ROUNDOFF = 2.0**-24
_SMALLEST_NORMAL = float(np.finfo(np.float32).smallest_normal)
_HALF = 16
"""Bits in one half of an int32."""


class RowWise(Lab):
    """Labs that compute ``out[row]`` from row ``row`` of ``a`` [rows][cols], float32, stored row by row.

    A subclass defines the computation in ``of_rows``; its manifest takes its cases from ``case_set = "row-wise"``.
    """

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``a`` [rows][cols]."""
        return {"a": draw(case.inputs, (case.sizes["rows"], case.sizes["cols"]), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:  # noqa: ARG002 - the shape of ``a`` gives the sizes
        """Apply ``of_rows`` to ``a`` in float64."""
        return {"out": self.of_rows(inputs["a"].astype(np.float64))}

    @abstractmethod
    def of_rows(self, a: NDArray[np.float64]) -> Expected:
        """The expected number for each row of ``a`` [rows][cols], and its error scale: both [rows]."""


class BlockSums(Lab):
    """Labs that reduce ``n`` values to one in several launches.

    Each block reduces its share to one value, and the next launch reduces those values.

    A kernel's parameters are, in this order: the arrays it reads, each of ``n`` elements; one value per block, which
    the manifest declares with one element, the result of the last launch; ``n`` elements of working memory; and ``n``.
    Every launch has its own grid, from the same launch line with ``n`` as the number of remaining values, and its own
    memory: no launch writes memory that another launch reads, and no launch overwrites the inputs.
    """

    def plan_for(
        self, kernel: KernelSpec, case: Case, geometry: Geometry, names: Mapping[str, int]
    ) -> LaunchPlan:
        """Launches until one value is left. Raises: ``GeometryError``, also for a grid that does not halve ``n``."""
        reads, (result, work, _) = kernel.params[:-3], kernel.params[-3:]
        values = case.sizes["n"]
        arrays = [param.name for param in reads]
        buffers = [_buffer(param, param.name, values, Role.INPUT) for param in reads]
        launches: list[Launch] = []
        while not launches or values > 1:
            shape = launch_shape(geometry, {**names, "n": values})
            blocks = shape.grid.size
            if blocks > (values + 1) // 2:
                problem = reason("grid-does-not-halve", blocks=blocks, values=values)
                raise GeometryError(reason("in-geometry", part="grid", problem=problem))
            number = len(launches) + 1
            last = blocks <= 1
            partial = result.name if last else f"{result.name}_{number}"
            scratch = f"{work.name}_{number}"
            buffers += [
                _buffer(result, partial, max(1, blocks), Role.OUTPUT if last else Role.SCRATCH),
                _buffer(work, scratch, values, Role.SCRATCH),
            ]
            launches.append(Launch(kernel=kernel.name, shape=shape, args=(*arrays, partial, scratch, values)))
            again = [self.read_again(param.name) for param in reads[1:]]
            if number == 1 and not last:
                most = (values + 1) // 2
                buffers += [
                    _buffer(param, name, most, Role.INPUT, fixed=True)
                    for param, name in zip(reads[1:], again, strict=True)
                ]
            arrays = [partial, *again]
            values = blocks
        return LaunchPlan(buffers=tuple(buffers), launches=tuple(launches))

    def read_again(self, name: str) -> str:
        """The input that later launches read in place of array ``name``: ``(n + 1) // 2`` elements.

        It is not called for the first parameter, which reads the output of the previous launch.
        """
        msg = (
            f"{type(self).__name__} launches its kernel several times and must define read_again for {name!r}"
        )
        raise NotImplementedError(msg)


def _buffer(param: Param, name: str, elements: int, role: Role, *, fixed: bool = False) -> Buffer:
    return Buffer(name=name, dtype=param.dtype, shape=(elements,), role=role, fixed=fixed or param.fixed)


def summation_scale(
    terms: int | NDArray[np.int64],
    total: NDArray[np.float64],
    squares: NDArray[np.float64],
    flushed: NDArray[np.float64] | float,
) -> NDArray[np.float64]:
    """The error scale of a float32 sum, per element: ``sqrt(terms) * hypot(total, sqrt(squares))``.

    ``total`` is the exact sum, ``squares`` the sum of the squared terms. Each of the ``terms`` additions
    rounds its partial sum s_k by at most u|s_k|, up or down like a random variable, so the errors add up to about
    u * sqrt(sum s_k**2). A partial sum over some of the terms, in an order that does not depend on their
    values, is its share of ``total`` plus a random walk no wider than ``sqrt(squares)``. Hence every |s_k|
    is of the order of the hypotenuse of the two, and the scale holds for sequential, tree and blocked sums
    alike. The worst case, u * terms * sum|x|, is hundreds of times larger at a thousand terms: half
    precision would pass.

    ``flushed`` is the absolute error that flushing subnormal numbers to zero may cause; hardware may do so
    under fast-math options, and such results are accepted.
    """
    scale: NDArray[np.float64] = np.sqrt(terms) * np.hypot(total, np.sqrt(squares))
    return scale + flushed / FLOAT32_UNIT_ROUNDOFF


def float32_product(first: NDArray[Any], second: NDArray[Any]) -> Expected:
    """``first @ second`` in float64, where the product of two float32 numbers is exact, and its error scale.

    The scale is that of a sum of as many terms as ``first`` has columns. It allows for subnormal numbers that are
    flushed to zero: one per term, and in either factor of each.
    """
    left = first.astype(np.float64)
    right = second.astype(np.float64)
    terms = left.shape[1]
    value: NDArray[np.float64] = left @ right
    squares = np.square(left) @ np.square(right)
    factors = np.abs(left).sum(axis=1)[:, np.newaxis] + np.abs(right).sum(axis=0)
    flushed = _SMALLEST_NORMAL * (2 * terms + factors)
    return Expected(value=value, scale=summation_scale(terms, value, squares, flushed))


def int32_product(first: NDArray[np.int32], second: NDArray[np.int32]) -> NDArray[np.int32]:
    """``first @ second`` in int32 arithmetic, which wraps around; for up to 2**22 terms.

    NumPy multiplies integer matrices without BLAS, too slowly for thousands of rows. So each factor is split
    into 16 low and 16 high bits, both signed: their products have at most 31 bits, and float64 adds up 2**22 of them
    exactly. The product of the two high halves is a multiple of 2**32 and vanishes.
    """
    first_low, first_high = _halves(first)
    second_low, second_high = _halves(second)
    low = (first_low @ second_low).astype(np.int64)
    middle = (first_low @ second_high).astype(np.int64) + (first_high @ second_low).astype(np.int64)
    product: NDArray[np.int32] = (low + (middle << _HALF)).astype(np.int32)
    return product


def _halves(matrix: NDArray[np.int32]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """``low`` and ``high`` with ``low + 2**16 * high == matrix``."""
    low = matrix.astype(np.int16).astype(np.int64)
    high = (matrix - low) >> _HALF
    return low.astype(np.float64), high.astype(np.float64)
