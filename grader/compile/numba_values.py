"""The Numba types of what kernels get by value.

A vector is a tuple of its components, a struct a named tuple of its members: both are passed as their numbers.
"""

from typing import Any, NamedTuple

from numba.cuda.np.numpy_support import from_dtype

from grader.compile.python.libraries import cuda
from grader.model.element_types import DType, Element, Member


def type_by_value(element: Element) -> Any:
    """The type of a parameter of ``element``."""
    if isinstance(element, DType):
        return from_dtype(element.numpy)
    if element.vector:
        return cuda.types.UniTuple(from_dtype(element.numpy), len(element.members))
    members = [(each.name, Any) for each in element.members]
    return cuda.types.NamedTuple(
        [_member(each) for each in element.members],
        NamedTuple(element.name, members),
    )


def _member(member: Member) -> Any:
    number = from_dtype(member.dtype.numpy)
    return number if member.count == 1 else cuda.types.UniTuple(number, member.count)
