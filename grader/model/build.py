"""Build requests and results: source to PTX where compilers read student code, PTX to device code elsewhere."""

from dataclasses import dataclass, field
from typing import Self

from grader.model.diagnostic import Diagnostic
from grader.model.kernel import FunctionSpec, KernelSpec
from grader.model.module import DeviceModule, PtxModule
from grader.model.plan import Geometry
from grader.model.run import Fault
from grader.model.submission import Language, SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A lab's own files, which have the kernels, around ``functions`` that students write."""

    files: tuple[SourceFile, ...]
    functions: tuple[FunctionSpec, ...]

    @property
    def body(self) -> FunctionSpec | None:
        """The function of which students write the statements alone, if there is one."""
        return next((function for function in self.functions if function.body), None)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """Source files of one submission and the kernels wanted from them.

    ``arch`` is the cubin's target (``sm_75``); PTX is always built for ``compute_75``, the emulator's dialect.
    ``macros`` override sweep macros (CUDA C ``#define``, a Numba module constant). ``forbid`` lists the features a lab
    forbids (see ``build.forbidden``). ``launches`` are the lab's own geometries by kernel, for what a build says.
    ``frame``: the kernels are the lab's, and the files have functions for them.
    """

    language: Language
    files: tuple[SourceFile, ...]
    kernels: tuple[KernelSpec, ...]
    arch: str = "sm_75"
    macros: dict[str, int] = field(default_factory=dict)
    forbid: tuple[str, ...] = ()
    launches: dict[str, Geometry] = field(default_factory=dict)
    frame: Frame | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AssemblyRequest:
    """PTX to assemble for ``arch``, and the requirements on it: see ``BuildRequest``."""

    module: PtxModule
    kernels: tuple[KernelSpec, ...]
    arch: str
    forbid: tuple[str, ...] = ()

    @classmethod
    def of(cls, module: PtxModule, request: BuildRequest) -> Self:
        """The remaining step of ``request`` after its translation to ``module``."""
        return cls(module=module, kernels=request.kernels, arch=request.arch, forbid=request.forbid)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutcome:
    """The module, or the reason why there is none.

    ``fault``: nothing could be built. ``problems``: by kernel name, why this one kernel is missing from the module.
    """

    module: DeviceModule | None = None
    fault: Fault | None = None
    problems: dict[str, Fault] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Translation:
    """PTX of the source, or the reason why there is none; see ``BuildOutcome``.

    Student code ran in the process that produced it, so all of it may be forged.
    """

    module: PtxModule | None = None
    fault: Fault | None = None
    problems: dict[str, Fault] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()

    def completed(self, outcome: BuildOutcome) -> BuildOutcome:
        """The outcome of the whole build; ``outcome`` is that of assembling the PTX."""
        problems = self.problems | outcome.problems
        fault = self.fault or outcome.fault
        if fault is None and outcome.module is None:
            fault = next(iter(problems.values()), None)
        return BuildOutcome(
            module=outcome.module, fault=fault, problems=problems, diagnostics=self.diagnostics
        )
