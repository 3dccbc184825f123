"""An example of an engine that lives outside Grader's own tree: the emulator with errors only."""

from dataclasses import replace

from grader.engines.builtin import EMULATOR
from grader.engines.emulator.engine import EmulatorEngine
from grader.model.device import Device
from grader.model.diagnostic import Severity
from grader.model.run import EngineKind, LaunchJob, RunOptions, RunResult

KEY = EngineKind("quiet-emulator")


class QuietEmulator(EmulatorEngine):
    """Runs kernels as the emulator does, and reports errors, but no warnings and notes."""

    @property
    def kind(self) -> EngineKind:
        """The key that this package registers."""
        return KEY

    def run(self, job: LaunchJob, options: RunOptions) -> RunResult:
        """See the port."""
        result = super().run(job, options)
        errors = tuple(found for found in result.diagnostics if found.severity is Severity.ERROR)
        return replace(result, diagnostics=errors)


def quiet_emulator(device: Device) -> QuietEmulator:
    """Open the engine, imitating ``device``."""
    return QuietEmulator(device)


QUIET_EMULATOR = replace(EMULATOR, key=KEY, opener="grader_example_ports.quiet_emulator:quiet_emulator")
