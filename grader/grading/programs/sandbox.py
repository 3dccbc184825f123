"""Where the programs of a submission are built and run."""

from dataclasses import dataclass
from pathlib import Path

from grader.config.settings import MIB, LimitSettings
from grader.errors import LabError, UserError
from grader.grading.environment import GradingEnvironment
from grader.model.report import Isolation
from grader.programs.build import BuiltProgram, Sources, build
from grader.programs.start import Start
from grader.programs.toolchain import Toolchain, find_toolchain
from grader.programs.tools import Tool, plain_tool
from grader.sandbox import bubblewrap
from grader.sandbox.gpu import Gpu
from grader.sandbox.program_start import Confined, ProgramLimits, Streams, Unconfined
from grader.sandbox.program_tools import ConfinedTool
from grader.sandbox.system_files import interpreter


@dataclass(frozen=True, slots=True, kw_only=True)
class ProgramSandbox:
    """The compilers, and what confines them and the programs. ``is_confined``: bubblewrap does."""

    toolchain: Toolchain
    limits: LimitSettings
    is_confined: bool
    trusted: bool

    @classmethod
    def of(cls, environment: GradingEnvironment) -> "ProgramSandbox":
        """The sandbox for programs on this machine: bubblewrap, or none for trusted code where it cannot be used.

        Raises: ``LabError`` where compilers or the sandbox are missing.
        """
        try:
            toolchain = find_toolchain()
        except UserError as error:
            msg = f"a program lab cannot be graded here: {error.problem} {error.hint or ''}"
            raise LabError(msg.strip()) from error
        problem = bubblewrap.unavailable()
        if problem is not None and not environment.trusted:
            msg = f"programs that are not trusted run in bubblewrap, which cannot be used here: {problem}"
            raise LabError(msg)
        return cls(
            toolchain=toolchain,
            limits=environment.limits,
            is_confined=problem is None,
            trusted=environment.trusted,
        )

    @property
    def isolation(self) -> Isolation:
        """The isolation of programs from this machine."""
        return Isolation(sandbox="bubblewrap" if self.is_confined else "process", trusted=self.trusted)

    @property
    def tool(self) -> Tool:
        """What runs the compilers."""
        return (
            ConfinedTool([self.toolchain.nvcc.parent.parent, *interpreter()])
            if self.is_confined
            else plain_tool
        )

    def build(self, sources: Sources) -> BuiltProgram:
        """Compile ``sources``. Raises: ``CompileError``, ``InfrastructureError``."""
        return build(sources, self.toolchain, self.tool)

    def start(self, work: Path, streams: Streams) -> Start:
        """What starts a program in ``work``, which it may write to."""
        limits = ProgramLimits(
            memory_bytes=self.limits.memory_mib * MIB,
            file_bytes=self.limits.file_mib * MIB,
            open_files=self.limits.open_files,
        )
        if self.is_confined:
            return Confined(work, writable=[work], streams=streams, limits=limits)
        return Unconfined(work, streams, limits)

    def start_on_gpu(self, work: Path, streams: Streams, gpu: Gpu) -> Start:
        """As ``start``, with a GPU and without limits: CUDA reserves more address space than there is memory."""
        if self.is_confined:
            return Confined(work, gpu, writable=[work], streams=streams)
        return Unconfined(work, streams)
