"""Publish the scores of a lab, which students see only then if the course says so."""

from collections.abc import Iterable

from grader.course.records import Records
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.store.rulings import Publication
from grader.store.values import Decision

EVERYBODY = ""
"""The student of decisions about a whole lab."""


def publish(workspace: Workspace, lab: str, staff: Staff, *, withdraw: bool = False) -> None:
    """Publish the scores of ``lab``, or ``withdraw`` that. Raises: ``UserError`` for an unknown lab."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        ruling = Publication(published=not withdraw)
        store(records, staff.decision(EVERYBODY, lab, None, ruling), "publication")


def published(decisions: Iterable[Decision]) -> frozenset[str]:
    """The labs that are published after ``decisions``, of which the oldest comes first."""
    last = {each.lab: each.ruling for each in decisions if isinstance(each.ruling, Publication)}
    return frozenset(lab for lab, ruling in last.items() if ruling.published)
