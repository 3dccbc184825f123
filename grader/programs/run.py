"""Runs a built program beside the device process."""

import socket
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from grader.engines.emulator.warm_up import is_warm, warm_up
from grader.model.device import Device
from grader.model.program import ProgramRun
from grader.programs.allocations import DEVICE_BYTES
from grader.programs.arena import Arena
from grader.programs.attributes import device_facts
from grader.programs.call_window import CallWindow
from grader.programs.device_process import DeviceProcess
from grader.programs.device_state import State
from grader.programs.findings import Findings
from grader.programs.kernels import Kernels
from grader.programs.language import Program, ProgramSources
from grader.programs.memory import ProgramMemory
from grader.programs.start import Start
from grader.programs.time_limit import TimeLimit
from grader.programs.wire import Channel


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """How to run a program: on which device, with which arguments, and for how many seconds (``TimeLimit``).

    ``diagnose``: look for faults in its kernels. ``fails`` is the number of the checkable call that is made to fail.
    ``device_bytes`` is the memory of each device. ``devices`` is how many of the device there are. ``is_per_thread``:
    the default stream is that of the calling thread, as for programs that are compiled with
    ``--default-stream per-thread``. ``is_sanitized``: the program is built with
    AddressSanitizer. ``window`` is the time of the call of a function, where the judge's ``main`` calls one.
    """

    device: Device
    arguments: Sequence[str] = ()
    seconds: float = 60.0
    patience: float = 1.0
    diagnose: bool = True
    fails: int | None = None
    device_bytes: int = DEVICE_BYTES
    devices: int = 1
    is_per_thread: bool = False
    is_sanitized: bool = False
    window: CallWindow | None = None


_SANITIZER_OPTIONS = "handle_segv=0:handle_sigbus=0:detect_leaks=0:symbolize=0:print_legend=0"
"""The runtime handles faults itself; lines come from the addresses of the report."""


def run(program: Program, sources: ProgramSources, request: RunRequest, start: Start) -> ProgramRun:
    """Run ``program`` to its end; ``start`` starts it, in a sandbox or without one.

    Raises: ``UserError`` where the emulator cannot read its kernels, ``InfrastructureError`` where it cannot start.
    """
    if not is_warm():
        warm_up()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="grader-run-")))
        command = program.install(folder)
        arena = Arena()
        stack.callback(arena.close)
        memory = ProgramMemory(
            arena,
            track=request.diagnose,
            narrow=any(unit.is_narrow for unit in program.units),
            device_bytes=request.device_bytes,
            is_sanitized=request.is_sanitized,
        )
        kernels = Kernels(program.units, request.device, memory, diagnose=request.diagnose)
        sites = stack.enter_context(program.sites(folder, sources))
        findings = Findings(sites, program.wording)
        ours, theirs = socket.socketpair()
        stack.callback(ours.close)
        with theirs:
            variables = {
                **command.variables,
                "GRADER_CHANNEL": str(theirs.fileno()),
                "GRADER_ARENA": str(arena.descriptor),
                "GRADER_DEVICE": device_facts(request.device),
                "GRADER_DEVICES": str(request.devices),
                **({"ASAN_OPTIONS": _SANITIZER_OPTIONS} if request.is_sanitized else {}),
            }
            inherited = (theirs.fileno(), arena.descriptor)
            child = stack.enter_context(
                start([*command.words, *request.arguments], folder, variables, inherited)
            )
        if request.window is not None:
            request.window.attach(child.pid)
        limit = TimeLimit(request.seconds, request.patience)
        stack.enter_context(limit.over(child))
        warm_up()  # while the program starts
        state = State(
            device=request.device,
            memory=memory,
            kernels=kernels,
            findings=findings,
            channel=Channel(ours),
            names=program.names(sources),
            limit=limit,
            paths=program.paths(folder),
            is_managed=program.is_managed,
        )
        state.schedule.is_per_thread = request.is_per_thread
        device = DeviceProcess(state, request.fails, request.window)
        device.serve()
        code = child.wait()
        return ProgramRun(
            exit_code=code,
            diagnostics=findings.diagnostics,
            activities=device.activities,
            seconds=device.clock.seconds,
            calls=device.calls,
            launches=device.clock.launches,
            synchronisations=device.clock.synchronisations,
            checkable=device.checkable.calls,
            refused=state.refused,
            counted_seconds=limit.used,
            is_late=limit.passed,
            uncounted_seconds=0.0
            if request.window is None
            else request.window.processor_seconds - device.clock.host_seconds,
        )
