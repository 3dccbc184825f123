"""What a process that ran student code has answered, cut down to what it was asked for.

All of it may be forged. What is left can be wrong about one thing only: the student's own code.
"""

from dataclasses import replace

from grader.compile.messages import MAX_DIAGNOSTICS, clean
from grader.compile.sources import display_name
from grader.model.build import BuildRequest, Translation
from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.module import FoundKernel, PtxModule
from grader.model.run import Fault
from grader.model.verdict import Verdict

MAX_PTX_BYTES = 16 * 2**20
"""Device code of one submission, as text; the largest of the labs' own takes a tenth of a megabyte."""

MAX_REASON = 2000
"""Length in characters at which a reason is cut."""

_KINDS = frozenset(
    {DiagnosticKind.COMPILER, DiagnosticKind.HOST_CODE_IGNORED, DiagnosticKind.LAUNCH_DIRECTIVE}
)
"""What a build has to report; everything else is found out by running."""


def sanitize(translation: Translation, request: BuildRequest) -> Translation:
    """``translation`` with only what answers ``request``.

    Every kernel that was asked for is found or has a problem, in the end, and every problem is the student's.
    """
    files = {display_name(file.name) for file in request.files}
    asked = [spec.name for spec in request.kernels]
    problems = {name: _fault(problem) for name, problem in translation.problems.items() if name in asked}
    module = None if translation.fault else _module(translation.module, set(asked) - set(problems), files)
    found = [kernel.name for kernel in module.kernels] if module else []
    missing = [name for name in asked if name not in problems and name not in found]
    fault = translation.fault and _fault(translation.fault)
    if fault is None and module is not None:
        fault = _contradiction(module, found)
    return Translation(
        module=module if fault is None and found else None,
        fault=fault,
        problems=problems | {name: _failed(f"the build says nothing of {name}") for name in missing},
        diagnostics=_diagnostics(translation.diagnostics, files),
    )


def _module(module: PtxModule | None, wanted: set[str], files: set[str]) -> PtxModule | None:
    if module is None:
        return None
    return replace(
        module,
        units=tuple(replace(unit, name=clean(unit.name)) for unit in module.units),
        kernels=tuple(
            _placed(kernel, files)
            for kernel in module.kernels
            if kernel.name in wanted and 0 <= kernel.unit < len(module.units)
        ),
        user_files=tuple(name for name in module.user_files if name in files),
    )


def _placed(kernel: FoundKernel, files: set[str]) -> FoundKernel:
    return kernel if kernel.file in files else replace(kernel, file=None, line=None)


def _contradiction(module: PtxModule, found: list[str]) -> Fault | None:
    size = sum(len(unit.ptx) for unit in module.units)
    if size > MAX_PTX_BYTES:
        return _failed(
            f"the compiled code is {size:,} bytes of PTX; a submission may have at most {MAX_PTX_BYTES:,}"
        )
    if len(set(found)) < len(found):
        return _failed("the build names one kernel twice")
    return None


def _diagnostics(diagnostics: tuple[Diagnostic, ...], files: set[str]) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            kind=diagnostic.kind,
            severity=diagnostic.severity,
            message=clean(diagnostic.message),
            advice=clean(diagnostic.advice),
            file=diagnostic.file if diagnostic.file in files else None,
            line=diagnostic.line if diagnostic.file in files else None,
        )
        for diagnostic in diagnostics[:MAX_DIAGNOSTICS]
        if diagnostic.kind in _KINDS
    )


def _fault(told: Fault) -> Fault:
    """Whatever verdict it is given: a build that fails has failed to build."""
    return _failed(clean(told.reason, MAX_REASON))


def _failed(reason: str) -> Fault:
    return Fault(verdict=Verdict.FAILED_TO_BUILD, reason=reason)
