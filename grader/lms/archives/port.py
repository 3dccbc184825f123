"""The port of archives: how one system's exports are recognised and read.

A package registers an ``ArchiveFormat`` under its key as an entry point in the group ``grader.archives``. Its functions
look at names and small files of a ``Tree``; they open no path and write nothing.
"""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import tzinfo
from enum import IntEnum

from grader.lms.archives.received import Contents
from grader.lms.archives.tree import Tree
from grader.model.reason import Reason

GROUP = "grader.archives"
"""The group of entry points."""


class Certainty(IntEnum):
    """How sure a format is of a tree; the surest one reads it.

    ``MARK``: something that only this system writes. ``NAMES``: most names have its form. ``ANY``: nothing speaks
    against it.
    """

    ANY = 1
    NAMES = 2
    MARK = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Recognition:
    """That a tree has the format, and what shows it."""

    certainty: Certainty
    why: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadContext:
    """What a format needs to know of the course: its time zone, and the names of its labs."""

    zone: tzinfo
    labs: Collection[str] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveFormat:
    """One format. ``label`` is its name for people.

    ``read`` may raise ``UserError`` for an export that is damaged or of an unknown form.
    """

    key: str
    label: str
    recognise: Callable[[Tree], Recognition | None]
    read: Callable[[Tree, ReadContext], Contents]
