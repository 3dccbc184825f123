"""What the build sandbox is asked and what it answers."""

from dataclasses import dataclass, field

from grader.model.diagnostic import Diagnostic
from grader.model.kernel import KernelSpec
from grader.model.module import DeviceModule
from grader.model.run import Fault
from grader.model.submission import Language, SourceFile


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildRequest:
    """Source files of one submission and the kernels wanted from them.

    ``arch`` is the cubin's target (``sm_75``); PTX is always built for ``compute_75``, the emulator's dialect.
    ``macros`` override sweep macros (CUDA C ``#define``, a Numba module constant). ``forbid`` lists the features a lab
    rules out (see ``build.forbidden``).
    """

    language: Language
    files: tuple[SourceFile, ...]
    kernels: tuple[KernelSpec, ...]
    arch: str = "sm_75"
    macros: dict[str, int] = field(default_factory=dict)
    forbid: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOutcome:
    """The module, or why there is none.

    ``fault``: nothing could be built. ``problems``: by kernel name, why that kernel alone is missing from the module.
    """

    module: DeviceModule | None = None
    fault: Fault | None = None
    problems: dict[str, Fault] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
