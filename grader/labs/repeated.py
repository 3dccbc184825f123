"""Labs whose kernel is launched again and again until one value is left: sums, dot products and the like."""

from collections.abc import Mapping

from grader.labs.geometry import GeometryError, launch_shape
from grader.labs.lab import Lab
from grader.labs.manifest import Case
from grader.model.kernel import KernelSpec, Param
from grader.model.plan import Buffer, Geometry, Launch, LaunchPlan, Role


class BlockSums(Lab):
    """A launch makes one value out of each block's share of ``n``; the next one does so with those values.

    A kernel's parameters are, in this order: the arrays it reads, each of ``n`` elements; one value per block, which
    the manifest declares with one element, as the last launch leaves one; ``n`` elements of working memory; and ``n``.
    Every launch has its own grid, from the same launch line with ``n`` as the number of values that are left, and its
    own memory: no launch writes what another one reads. Inputs are in nobody's way.
    """

    def plan_for(
        self, kernel: KernelSpec, case: Case, geometry: Geometry, names: Mapping[str, int]
    ) -> LaunchPlan:
        """As many launches as it takes. Raises: ``GeometryError``, too, for a grid that does not bring ``n`` down."""
        reads, (result, work, _) = kernel.params[:-3], kernel.params[-3:]
        values = case.sizes["n"]
        arrays = [param.name for param in reads]
        buffers = [_buffer(param, param.name, values, Role.INPUT) for param in reads]
        launches: list[Launch] = []
        while not launches or values > 1:
            shape = launch_shape(geometry, {**names, "n": values})
            blocks = shape.grid.size
            if blocks > (values + 1) // 2:
                msg = f"grid: {blocks} blocks for n = {values}; one value per block must leave half as many or fewer"
                raise GeometryError(msg)
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

        The first parameter is not asked for: the values that the launch before left take its place.
        """
        raise NotImplementedError(name)


def _buffer(param: Param, name: str, elements: int, role: Role, *, fixed: bool = False) -> Buffer:
    return Buffer(name=name, dtype=param.dtype, shape=(elements,), role=role, fixed=fixed or param.fixed)
