"""What all calls of a program share."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from grader.engines.emulator.decode.program import UnsupportedError
from grader.model.device import Device
from grader.model.diagnostic import DiagnosticKind
from grader.model.program import Lane
from grader.model.reason import Reason, reason
from grader.programs.error_codes import Error
from grader.programs.findings import Findings
from grader.programs.kernels import Kernels
from grader.programs.language import AssignedNames
from grader.programs.memory import ProgramMemory
from grader.programs.races import Races
from grader.programs.schedule import Schedule
from grader.programs.serialisation import Serialisation
from grader.programs.time_limit import TimeLimit
from grader.programs.wire import Channel, Pending, Reply, Request, Site
from grader.programs.work import Work


@dataclass(slots=True, kw_only=True)
class State:
    """The device of one program.

    ``limit`` is the time after which a kernel is stopped. ``sticky`` is the error that every call
    returns after a kernel has failed. ``unread_launch`` is a failed launch for which the program has not asked, and
    ``unread_errors`` are the names of all such errors by the calls that failed.
    ``refused`` is what the program needed and the emulator lacks. ``has_ended``: the program came to its end.
    ``paths`` names the program's files by the paths in PTX that it compiles itself. ``is_managed``: its language
    releases memory by itself, and raises errors.
    """

    device: Device
    memory: ProgramMemory
    kernels: Kernels
    findings: Findings
    channel: Channel
    names: AssignedNames
    limit: TimeLimit
    paths: Mapping[str, str] = field(default_factory=dict)
    is_managed: bool = False
    schedule: Schedule = field(default_factory=Schedule)
    sticky: Error = Error.SUCCESS
    unread_launch: Site | None = None
    unread_errors: dict[Site, str] = field(default_factory=dict)
    refused: Reason | None = None
    has_ended: bool = False
    races: Races = field(init=False)
    serialisation: Serialisation = field(init=False)

    def __post_init__(self) -> None:
        """Compare all work with what ran beside it."""
        self.races = Races(self.schedule, self.memory, self.findings)
        self.serialisation = Serialisation(self.schedule, self.memory, self.findings)
        self.schedule.when_done = self._when_done

    def _when_done(self, work: Work) -> None:
        self.races.check(work)
        self.serialisation.check(work)

    def failed(self, error: Error, asked: Request, problem: Reason) -> Reply:
        """Note why a call fails."""
        self.findings.error(DiagnosticKind.RUNTIME_ERROR, asked.site, problem)
        return Reply(error)

    def unsupported(self, error: UnsupportedError, asked: Request) -> Reply:
        """Note that the emulator lacks what a kernel needs; no later call works."""
        self.refused = reason("unsupported", what=error.what)
        self.findings.error(DiagnosticKind.UNSUPPORTED, asked.site, self.refused)
        self.sticky = Error.NOT_SUPPORTED
        return Reply(Error.NOT_SUPPORTED)

    def add(  # noqa: PLR0913 - what describes a piece of work
        self,
        lane: Lane | None,
        name: Reason,
        key: int,
        site: Site,
        perform: Callable[[], float],
        *,
        pending: tuple[Pending, ...] = (),
        moved_bytes: int = 0,
    ) -> Work:
        """Put work into a stream."""
        work = Work(
            lane=lane,
            name=name,
            stream=self.schedule.number(key),
            site=site,
            perform=perform,
            pending=pending,
            moved_bytes=moved_bytes,
        )
        return self.schedule.add(work, key)
