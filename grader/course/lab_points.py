"""A course's own points for a lab: what a change of them would do to the class, and the change itself."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from grader.config.load import FILE_NAME
from grader.config.overlay_text import overlay_in, overlay_lines, with_overlay
from grader.course.rescore import Rescored, rescore
from grader.course.workspace import Workspace
from grader.report.changes import Direction, ReportChange
from grader.report.files import write_atomically


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsEffect:
    """What a change does: ``mean`` is the average difference of the ``changes``; ``again`` must be graded again."""

    changes: tuple[ReportChange, ...]
    mean: float
    up: int
    down: int
    unchanged: int
    again: int


def points_text(workspace: Workspace, lab: str) -> str:
    """The lines of ``grader.toml`` that change ``lab``. Raises: ``UserError`` for an unknown lab."""
    workspace.registry.get(lab)
    return overlay_lines(_source(workspace), lab)


def points_effect(workspace: Workspace, lab: str, lines: str) -> PointsEffect:
    """What ``lines`` in place of those would change; nothing is stored. Raises: ``UserError`` for a mistake in them."""
    return _effect(rescore(_changed(workspace, lab, lines), labs=[lab], dry_run=True))


def change_points(workspace: Workspace, lab: str, lines: str) -> PointsEffect:
    """Write ``lines`` into ``grader.toml`` and score the lab by them. Raises: ``UserError`` for a mistake in them."""
    changed = _changed(workspace, lab, lines)
    text = with_overlay(_source(workspace), lab, lines)
    write_atomically(workspace.config.source or workspace.config.base / FILE_NAME, text.encode())
    return _effect(rescore(changed, labs=[lab]))


def _changed(workspace: Workspace, lab: str, lines: str) -> Workspace:
    """The workspace with ``lines`` about ``lab``."""
    workspace.registry.get(lab)
    others = {name: table for name, table in workspace.config.overlays.items() if name != lab}
    table = overlay_in(lines, lab)
    own = {lab: table} if table.content else {}
    changed = Workspace(config=replace(workspace.config, overlays={**others, **own}))
    changed.registry.get(lab)
    return changed


def _source(workspace: Workspace) -> str:
    path = workspace.config.source
    return "" if path is None else path.read_text("utf-8-sig")


def _effect(found: Rescored) -> PointsEffect:
    differing = [_difference(each) for each in found.changes]
    return PointsEffect(
        changes=found.changes,
        mean=fmean(differing) if differing else 0.0,
        up=_count(found.changes, Direction.UP),
        down=_count(found.changes, Direction.DOWN),
        unchanged=found.unchanged + sum(each.count for each in found.rescored) - len(found.changes),
        again=sum(each.count for each in found.again),
    )


def _difference(change: ReportChange) -> float:
    before, after = change.before, change.after
    return (0.0 if after is None else after.score) - (0.0 if before is None else before.score)


def _count(changes: Sequence[ReportChange], direction: Direction) -> int:
    return sum(each.direction is direction for each in changes)
