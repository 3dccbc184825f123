"""Find implementations of a port: entry points of installed packages, by group and name.

What Grader brings itself is found in the same way as what others install. A worker looks nothing up: it gets a
``reference`` and imports that.
"""

import sys
from functools import lru_cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points

from grader.errors import UserError
from grader.references import resolve

__all__ = ["points", "reference", "resolve"]

_REINSTALL = "Install Grader again (`pip install -e .` in a checkout): its metadata is older than its code."


def points(group: str) -> dict[str, EntryPoint]:
    """The entry points of ``group`` by name, sorted. Raises: ``UserError`` where two packages have the same name."""
    found: dict[str, EntryPoint] = {}
    for point in sorted(_installed(group, tuple(sys.path)), key=lambda point: point.name):
        if point.name in found:
            owners = " and ".join(sorted(_owner(each) for each in (found[point.name], point)))
            msg = f"Two packages register {point.name!r} in {group}: {owners}."
            raise UserError(msg, hint="Uninstall one of them.")
        found[point.name] = point
    return found


def reference(group: str, name: str) -> str:
    """Where the object called ``name`` is, as ``module:attribute``. Raises: ``UserError`` if there is none."""
    found = points(group)
    if name not in found:
        msg = f"Nothing called {name!r} is installed as one of {group}."
        raise UserError(msg, hint=f"Installed: {', '.join(found)}." if found else _REINSTALL)
    return found[name].value


@lru_cache(maxsize=16)
def _installed(group: str, _path: tuple[str, ...]) -> EntryPoints:
    """The entry points of the packages on ``sys.path``, which takes some milliseconds to read."""
    return entry_points(group=group)


def _owner(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value
