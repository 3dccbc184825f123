"""Whether the array that a step passes suits the parameter of a kernel."""

from collections.abc import Mapping

from grader.labs.geometry import GeometryError, evaluate
from grader.model.arguments import can_pass
from grader.model.kernel import Param
from grader.model.plan import Buffer, Role


def check_array(kernel: str, param: Param, given: Buffer, sizes: Mapping[str, int]) -> None:
    """Check ``given``, passed for ``param`` of ``kernel``; its extents count where ``sizes`` has all their names.

    Raises: ``ValueError`` with what to write.
    """
    if not can_pass(param, given.dtype):
        msg = f"{param.name} of {kernel} holds {param.dtype}, and {given.name} {given.dtype}; pass another array"
        raise ValueError(msg)
    if given.role is Role.INPUT and not param.const:
        msg = f"{kernel} writes {param.name}, and {given.name} is an input; declare it inout, or pass scratch memory"
        raise ValueError(msg)
    needed = _bytes(param, sizes)
    if needed is not None and given.nbytes < needed:
        shape = "".join(f"[{dim}]" for dim in param.dims)
        msg = (
            f"{param.name}{shape} of {kernel} has {needed:,} bytes, and {given.name} only {given.nbytes:,}; "
            "pass a larger array, or the size that the kernel may use"
        )
        raise ValueError(msg)


def _bytes(param: Param, sizes: Mapping[str, int]) -> int | None:
    count = param.dtype.itemsize
    try:
        for dim in param.dims:
            count *= evaluate(dim, sizes)
    except GeometryError:
        return None
    return count
