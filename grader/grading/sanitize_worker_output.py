"""Reduce the reply of a process that read student code to what the request asked for.

All of the reply may be forged. What remains can only be wrong about the student's own code.
"""

from dataclasses import replace

from grader.compile.messages import MAX_DIAGNOSTICS, MAX_MESSAGE, clean
from grader.compile.sources import display_name
from grader.grading.sanitize_reason import quoted_as_compilers, sanitize_reason
from grader.model.build import BuildRequest, Translation
from grader.model.diagnostic import Diagnostic, DiagnosticKind
from grader.model.module import FoundKernel, PtxModule
from grader.model.reason import Reason, reason
from grader.model.run import Fault
from grader.model.verdict import Verdict

MAX_PTX_BYTES = 16 * 2**20
"""Maximum PTX of one submission in bytes; the largest reference kernel has a tenth of a megabyte."""

_MAX_SYMBOLS = 8

_KINDS = frozenset(
    {
        DiagnosticKind.COMPILER,
        DiagnosticKind.HOST_CODE_IGNORED,
        DiagnosticKind.HOST_LAUNCH,
        DiagnosticKind.LAUNCH_DIRECTIVE,
        DiagnosticKind.PARAMETERS,
    }
)
"""Findings that a build may report; all others come from runs."""


def sanitize(translation: Translation, request: BuildRequest) -> Translation:
    """``translation`` with only what answers ``request``.

    Afterwards every requested kernel is either found or has a problem, and every problem is the student's.
    """
    files = {display_name(file.name) for file in request.files}
    asked = [spec.name for spec in request.kernels]
    problems = {
        name: _fault(problem, files) for name, problem in translation.problems.items() if name in asked
    }
    module = None if translation.fault else _module(translation.module, set(asked) - set(problems), files)
    found = [kernel.name for kernel in module.kernels] if module else []
    fault = translation.fault and _fault(translation.fault, files)
    if fault is None and module is not None:
        fault = _contradiction(module, found)
    missing = [name for name in asked if fault is None and name not in problems and name not in found]
    return Translation(
        module=module if fault is None and found else None,
        fault=fault,
        problems=problems | {name: _failed(reason("kernel-not-reported", kernel=name)) for name in missing},
        diagnostics=_diagnostics(translation.diagnostics, files),
    )


def _module(module: PtxModule | None, wanted: set[str], files: set[str]) -> PtxModule | None:
    if module is None:
        return None
    return replace(
        module,
        units=tuple(replace(unit, name=clean(unit.name)) for unit in module.units),
        kernels=tuple(
            _kernel(kernel, files)
            for kernel in module.kernels
            if kernel.name in wanted and 0 <= kernel.unit < len(module.units)
        ),
        user_files=tuple(name for name in module.user_files if name in files),
    )


def _kernel(kernel: FoundKernel, files: set[str]) -> FoundKernel:
    """``kernel`` with locations in ``files`` only, and with bounded statements."""
    if kernel.file not in files:
        kernel = replace(kernel, file=None, line=None)
    origin = kernel.host_origin
    if origin is not None and origin.location.file in files:
        origin = replace(origin, directive=clean(origin.directive))
    else:
        origin = None
    unread = kernel.unread_launch and sanitize_reason(kernel.unread_launch, files)
    symbols = tuple(sanitize_reason(each, files) for each in kernel.unset_symbols[:_MAX_SYMBOLS])
    return replace(kernel, host_origin=origin, unread_launch=unread, unset_symbols=symbols)


def _contradiction(module: PtxModule, found: list[str]) -> Fault | None:
    size = sum(len(unit.ptx) for unit in module.units)
    if size > MAX_PTX_BYTES:
        return _failed(reason("code-too-large", size=size, limit=MAX_PTX_BYTES))
    if len(set(found)) < len(found):
        return _failed(reason("kernel-reported-twice"))
    return None


def _diagnostics(diagnostics: tuple[Diagnostic, ...], files: set[str]) -> tuple[Diagnostic, ...]:
    return tuple(
        Diagnostic(
            kind=diagnostic.kind,
            severity=diagnostic.severity,
            message=sanitize_reason(diagnostic.message, files, MAX_MESSAGE),
            advice=diagnostic.advice and sanitize_reason(diagnostic.advice, files, MAX_MESSAGE),
            file=diagnostic.file if diagnostic.file in files else None,
            line=diagnostic.line if diagnostic.file in files else None,
        )
        for diagnostic in diagnostics[:MAX_DIAGNOSTICS]
        if diagnostic.kind in _KINDS
    )


def _fault(reported: Fault, files: set[str]) -> Fault:
    """A failed build always has the verdict ``failed to build``, whatever the worker claims.

    A reason in words of its own is quoted as the compiler's: it would read as Grader's in a headline.
    """
    return Fault(
        verdict=Verdict.FAILED_TO_BUILD, reason=quoted_as_compilers(sanitize_reason(reported.reason, files))
    )


def _failed(said: Reason) -> Fault:
    return Fault(verdict=Verdict.FAILED_TO_BUILD, reason=said)
