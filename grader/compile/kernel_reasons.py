"""Why the kernel that a lab asks for is not there: what both languages say."""

import difflib
from collections.abc import Collection, Iterable

from grader.model.location import SourceLocation
from grader.model.reason import Reason, first_of, reason

_MAX_LISTED = 5


def kernel_missing(kernel: str, wanted: str, others: Collection[str]) -> Reason:
    """There is no kernel of this name. ``wanted`` is its signature; ``others`` are kernels that nothing asks for."""
    close = difflib.get_close_matches(kernel, others, n=1) or (list(others) if len(others) == 1 else [])
    if close:
        return reason("kernel-missing-similar", kernel=kernel, similar=close[0], wanted=wanted)
    if others:
        listed = first_of(sorted(others), _MAX_LISTED)
        return reason("kernel-missing-others", kernel=kernel, others=listed, wanted=wanted)
    return reason("kernel-missing", kernel=kernel, wanted=wanted)


def kernel_defined_twice(kernel: str, locations: Iterable[SourceLocation]) -> Reason:
    """There are several kernels of this name, and all of them fit."""
    places = tuple(reason("code-location", location=location) for location in locations)
    return reason("kernel-defined-twice", kernel=kernel, places=places)
