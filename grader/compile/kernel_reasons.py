"""Why the kernel that a lab asks for is not there: what both languages say."""

import difflib
from collections.abc import Collection, Iterable, Mapping

from grader.compile.messages import MAX_QUOTED, clean, located
from grader.compile.not_code import disguised
from grader.compile.parameter_names import plain
from grader.model.location import SourceLocation
from grader.model.reason import Reason, first_of, reason

_MAX_LISTED = 20


def kernel_missing(
    kernel: str,
    wanted: str,
    present: Mapping[str, SourceLocation],
    candidates: Collection[str],
    missing: Collection[str],
) -> Reason:
    """There is no kernel of this name. ``wanted`` is its signature, ``present`` are all kernels that there are.

    ``candidates`` are those that may be the kernel under another name, ``missing`` all names of the lab that are not
    there.
    """
    if not present:
        return reason("kernel-missing", kernel=kernel, wanted=wanted)
    for name in sorted(present):
        if (said := disguised(name, kernel)) is not None:
            return located(said, present[name].file, present[name].line)
    listed = [
        reason("kernel-at", location=location, kernel=clean(name, MAX_QUOTED))
        for name, location in sorted(present.items(), key=lambda item: (item[1].file, item[1].line or 0))
    ]
    others = first_of(listed, _MAX_LISTED)
    similar = _similar(kernel, candidates, missing)
    if similar is None:
        return reason("kernel-missing-others", kernel=kernel, others=others, wanted=wanted)
    return reason(
        "kernel-missing-similar",
        kernel=kernel,
        similar=clean(similar, MAX_QUOTED),
        others=others,
        wanted=wanted,
    )


def _similar(kernel: str, candidates: Collection[str], missing: Collection[str]) -> str | None:
    """The only candidate, or the one with the most similar name, unless another missing kernel is more like it."""
    found = next(iter(candidates)) if len(candidates) == 1 else _closest(kernel, candidates)
    if found is None or any(_likeness(other, found) > _likeness(kernel, found) for other in missing):
        return None
    return found


def _likeness(kernel: str, candidate: str) -> float:
    return difflib.SequenceMatcher(None, plain(kernel), plain(candidate)).ratio()


def _closest(kernel: str, candidates: Collection[str]) -> str | None:
    names = {plain(name): name for name in candidates}
    close = difflib.get_close_matches(plain(kernel), names, n=1)
    within = [name for name in names if plain(kernel) in name]
    found = close or (within if len(within) == 1 else [])
    return names[found[0]] if found else None


def kernel_defined_twice(kernel: str, locations: Iterable[SourceLocation]) -> Reason:
    """There are several kernels of this name, and all of them fit."""
    places = tuple(reason("code-location", location=location) for location in locations)
    return reason("kernel-defined-twice", kernel=kernel, places=places)
