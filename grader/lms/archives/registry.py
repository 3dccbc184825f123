"""The installed formats of archives, and which of them a tree has."""

import sys
from collections.abc import Mapping
from functools import lru_cache

from grader import plugins
from grader.errors import UserError
from grader.lms.archives.port import GROUP, ArchiveFormat, Recognition
from grader.lms.archives.tree import Tree
from grader.messages import render
from grader.model.text import printable


def installed() -> Mapping[str, ArchiveFormat]:
    """The installed formats by key. Raises: ``UserError`` if a package that registers one fails to load."""
    return _installed(tuple(sys.path))


def named(key: str) -> ArchiveFormat:
    """The format called ``key``. Raises: ``UserError`` if it is not installed."""
    if key not in installed():
        msg = f"There is no format of archives called {printable(key)}."
        raise UserError(msg, hint=f"Installed: {', '.join(installed())}.")
    return installed()[key]


def recognised(tree: Tree) -> tuple[ArchiveFormat, Recognition]:
    """The format of ``tree`` by what it holds. Raises: ``UserError`` if it is empty, or has two formats alike."""
    found = [(each, seen) for each in installed().values() if (seen := each.recognise(tree)) is not None]
    if not found:
        msg = f"There is no submission in {printable(tree.name)}."
        raise UserError(msg, hint="Name the zip file that your course system gives, or the unpacked folder.")
    surest = max(seen.certainty for _, seen in found)
    best = [(each, seen) for each, seen in found if seen.certainty is surest]
    if len(best) > 1:
        signs = " and ".join(f"{each.label} ({render(seen.why)})" for each, seen in best)
        msg = f"{printable(tree.name)} looks like several systems' exports: {signs}."
        hint = f"Say which: {' or '.join(f'--system {each.key}' for each, _ in best)}."
        raise UserError(msg, hint=hint)
    return best[0]


@lru_cache(maxsize=4)
def _installed(_path: tuple[str, ...]) -> Mapping[str, ArchiveFormat]:
    found: dict[str, ArchiveFormat] = {}
    for name, point in plugins.points(GROUP).items():
        each = plugins.resolve(point.value)
        if not isinstance(each, ArchiveFormat) or each.key != name:
            msg = f"The plugin {point.value} gives no format of archives called {name!r}."
            raise UserError(msg, hint="Fix or uninstall its package.")
        found[name] = each
    return found
