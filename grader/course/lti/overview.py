"""What staff see of a course system: what is connected, and how grades get there."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from grader.course.records import Records
from grader.course.workspace import Workspace
from grader.store.lti_values import Push, PushEvent, PushState

_LINES = 50
"""Lines of the log that are shown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Connected:
    """A connected course: its ``title`` at ``system``, and for each linked lab whether it has a column there."""

    title: str
    system: str
    labs: Mapping[str, bool]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """``counts`` are the grades by state, ``open`` those that have not arrived, ``events`` the newest of the log."""

    courses: tuple[Connected, ...]
    counts: Mapping[PushState, int]
    open: tuple[Push, ...]
    events: tuple[PushEvent, ...]


def overview(workspace: Workspace) -> Overview:
    """What is connected now, and what is on its way."""
    with Records(workspace) as records:
        platforms = {each.id: each for each in records.store.platforms.list()}
        links = records.store.platforms.links()
        contexts = records.store.platforms.contexts()
        pushes = records.store.pushes.list()
        events = records.store.pushes.events(_LINES)
    courses = tuple(
        Connected(
            title=context.title or context.context,
            system=platforms[context.platform].issuer,
            labs={link.lab: bool(link.line_item) for link in links if link.context == context.id},
        )
        for context in contexts
    )
    return Overview(
        courses=courses,
        counts=Counter(push.state for push in pushes),
        open=tuple(push for push in pushes if push.state is not PushState.SENT),
        events=events,
    )
