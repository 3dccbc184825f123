"""Choose the geometry with which the host code launches a kernel, and say what is chosen."""

from collections.abc import Sequence
from dataclasses import dataclass

from grader.compile.host_launches.geometry_text import (
    HostGeometry,
    LaunchTarget,
    UnreadableLaunchError,
    host_geometry,
    suggested_geometry,
)
from grader.compile.host_launches.values import HostLaunch
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.module import HostOrigin
from grader.model.plan import Geometry
from grader.model.reason import Reason, first_of, reason

EXAMPLE = Geometry(grid=("ceil(n/block)",), block=("256",))
"""What a directive may say, where the lab's geometry is unknown."""

_PLACES_SHOWN = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class HostChoice:
    """The geometry that is taken from host code, if one is; ``unread`` says why none can be read."""

    geometry: Geometry | None = None
    origin: HostOrigin | None = None
    diagnostics: tuple[Diagnostic, ...] = ()
    unread: Reason | None = None


def choose(kernel: str, launches: Sequence[HostLaunch], target: LaunchTarget, comment: str) -> HostChoice:
    """The geometry of one of ``launches``; ``comment`` starts a comment in the language.

    A launch with a grid that depends on the lab's sizes is preferred to others, because it holds for every case. Of
    several the last one is taken.
    """
    read: list[tuple[HostLaunch, HostGeometry]] = []
    problems: list[tuple[HostLaunch, Reason]] = []
    for launch in launches:
        try:
            read.append((launch, host_geometry(launch, target)))
        except UnreadableLaunchError as error:
            problems.append((launch, error.reason))
    if not read:
        return _unread(kernel, problems[0], target, comment) if problems else HostChoice()
    scaling = [each for each in read if each[1].scales and not each[1].repeated]
    fitting = scaling or [each for each in read if each[1].scales] or read
    launch, chosen = fitting[-1]
    others = [other for other, each in fitting if each.geometry != chosen.geometry]
    diagnostics: tuple[Diagnostic, ...] = ()
    if others or chosen.repeated:
        said = _preferred(kernel, launch, others, directive_line(kernel, chosen.geometry, comment))
        diagnostics = (_diagnostic(launch, Severity.NOTE, said),)
    labs = directive_line(kernel, target.default or EXAMPLE, comment)
    origin = HostOrigin(location=_location(launch), sizes=dict(chosen.sizes), directive=labs)
    return HostChoice(geometry=chosen.geometry, origin=origin, diagnostics=diagnostics)


def _preferred(kernel: str, launch: HostLaunch, others: Sequence[HostLaunch], directive: str) -> Reason:
    """Why the geometry of ``launch`` is used."""
    if not others:
        return reason("launch-in-loop", location=_location(launch), kernel=kernel, directive=directive)
    shown = first_of(_places(others), _PLACES_SHOWN)
    return reason(
        "launches-differ", location=_location(launch), kernel=kernel, others=shown, directive=directive
    )


def _unread(kernel: str, first: tuple[HostLaunch, Reason], target: LaunchTarget, comment: str) -> HostChoice:
    launch, problem = first
    default = target.default or EXAMPLE
    said = reason(
        "launch-not-read",
        location=_location(launch),
        kernel=kernel,
        problem=problem,
        directive=directive_line(kernel, suggested_geometry(launch, target, default), comment),
    )
    return HostChoice(diagnostics=(_diagnostic(launch, Severity.WARNING, said),), unread=said)


def directive_line(kernel: str, geometry: Geometry, comment: str) -> str:
    """The launch directive that gives ``kernel`` this geometry."""
    return f"{comment} launch: {kernel} {geometry}"


def _location(launch: HostLaunch) -> SourceLocation:
    return SourceLocation(file=launch.file, line=launch.line)


def _places(launches: Sequence[HostLaunch]) -> list[Reason]:
    return [reason("code-location", location=each) for each in dict.fromkeys(map(_location, launches))]


def _diagnostic(launch: HostLaunch, severity: Severity, said: Reason) -> Diagnostic:
    return Diagnostic(
        kind=DiagnosticKind.HOST_LAUNCH,
        severity=severity,
        message=said,
        file=launch.file,
        line=launch.line,
    )
