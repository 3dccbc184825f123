"""Calls about the program's own memory accesses, and its end."""

from collections.abc import Callable, Mapping

from grader.engines.emulator.services.heap import HEAP_BYTES
from grader.model.diagnostic import DiagnosticKind
from grader.model.program import Lane
from grader.model.reason import reason
from grader.programs.allocations import Allocation
from grader.programs.calls.errors import say_unread
from grader.programs.calls.memory import say_leaks
from grader.programs.device_state import State
from grader.programs.wire import Call, Reply, Request

_PRINTED_BYTES, _HEAP_BYTES = 1, 2
"""``cudaLimitPrintfFifoSize`` and ``cudaLimitMallocHeapSize``."""


class ProgramCalls:
    """Answers what concerns the program itself."""

    def __init__(self, state: State) -> None:
        self._state = state

    @property
    def answers(self) -> Mapping[Call, Callable[[Request], Reply]]:
        """What answers each call."""
        return {
            Call.TOUCH: self._touch,
            Call.REFUSED: self._refuse,
            Call.EXIT: self._exit,
            Call.LIMIT: self._limit,
        }

    def _refuse(self, asked: Request) -> Reply:
        name = asked.extra.decode(errors="replace")
        self._state.refused = self._state.findings.worded(reason("runtime-function-missing", function=name))
        self._state.findings.error(DiagnosticKind.UNSUPPORTED, asked.site, self._state.refused)
        return Reply()

    def _limit(self, asked: Request) -> Reply:
        """Take over a limit of the device that changes what kernels can do."""
        which, value = asked.arguments[:2]
        if which == _PRINTED_BYTES:
            self._state.schedule.wait_for_all()
            self._state.kernels.printer.limit = max(value, 1)
        if which == _HEAP_BYTES and value > HEAP_BYTES:
            self._state.findings.warning(
                DiagnosticKind.RUNTIME_ERROR,
                self._state.findings.line(asked.site),
                reason("heap-stays-small", wanted=value, most=HEAP_BYTES),
            )
        return Reply(self._state.sticky)

    def _touch(self, asked: Request) -> Reply:
        address, is_pending, is_write = asked.arguments[0], asked.arguments[1], bool(asked.arguments[2])
        found = self._state.memory.find(address)
        name = found.name if found else ""
        if is_pending:
            self._touch_pending(asked, address, found, is_write=is_write)
            return Reply()
        if found is not None and found.freed is not None:
            problem = reason("host-uses-freed", name=name)
            self._state.findings.error(DiagnosticKind.HOST_MEMORY, asked.site, problem, None, found.freed)
        elif found is not None:
            problem, advice = reason("host-uses-device-memory", name=name), reason("copy-to-host-first")
            self._state.findings.error(DiagnosticKind.HOST_MEMORY, asked.site, problem, advice)
        else:
            problem = reason("host-bad-address", address=f"{address:#x}")
            self._state.findings.error(DiagnosticKind.HOST_MEMORY, asked.site, problem)
        return Reply()

    def _touch_pending(
        self, asked: Request, address: int, found: Allocation | None, *, is_write: bool
    ) -> None:
        """Note an access of the host to memory that unfinished work uses, or that a kernel could use."""
        name = found.name if found else ""
        owners = self._state.schedule.owners(address, is_write=is_write)
        sure = next((work for work in owners if work.is_sure_of(address, is_write=is_write)), None)
        if sure is None:
            self._state.races.note_host(address, asked.site, is_write=is_write)
            return
        code = "host-writes-early" if is_write else "host-reads-early"
        said = reason(code, name=name, work=sure.name)
        if sure.lane is Lane.KERNELS and found is not None and found.kind.is_managed:
            said = reason("host-uses-managed", name=name, work=sure.name, device=self._state.device.name)
        self._state.findings.error(
            DiagnosticKind.MISSING_WAIT,
            asked.site,
            said,
            reason("wait-before-this"),
            self._state.findings.line(sure.site),
        )

    def _exit(self, asked: Request) -> Reply:
        """Note what the program leaves undone, then do the rest of its work."""
        del asked
        if self._state.has_ended:  # an interpreter ends before its process
            return Reply()
        self._state.has_ended = True
        unfinished = self._state.schedule.unfinished
        if unfinished:
            last = unfinished[-1]
            problem = reason("ends-too-early", count=len(unfinished), name=last.name)
            line, advice = self._state.findings.line(last.site), reason("wait-before-end")
            self._state.findings.warning(DiagnosticKind.MISSING_WAIT, line, problem, advice)
        if self._state.unread_launch is not None and not self._state.is_managed:
            line = self._state.findings.line(self._state.unread_launch)
            advice = reason("check-launch")
            self._state.findings.warning(
                DiagnosticKind.RUNTIME_ERROR, line, reason("launch-error-unread"), advice
            )
        say_unread(self._state)
        for capture in dict.fromkeys(self._state.schedule.recorders.values()):
            line, advice = self._state.findings.line(capture.site), reason("end-capture")
            self._state.findings.warning(
                DiagnosticKind.RUNTIME_ERROR, line, reason("capture-never-ended"), advice
            )
        self._state.schedule.wait_for_all()
        self._state.serialisation.say()
        if self._state.sticky:  # no release works any more
            return Reply()
        say_leaks(self._state, self._state.memory.live)
        return Reply()
