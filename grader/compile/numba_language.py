"""Numba, as a language of submissions: the files are imported, and each kernel that a lab asks for becomes PTX."""

from grader.compile.constants import python_definitions
from grader.compile.directives import Directives, python_comments
from grader.compile.failure import BuildFailed
from grader.compile.messages import compiler_diagnostic
from grader.compile.numba_kernels import NumbaProgram
from grader.compile.sources import Source
from grader.compile.translation import Frontend, Progress, translate_with, unused_macro_note
from grader.languages.builtin import NUMBA
from grader.model.build import BuildRequest, Translation
from grader.model.diagnostic import Severity
from grader.model.module import Abi, FoundKernel, PtxUnit
from grader.model.reason import reason


def translate(request: BuildRequest) -> Translation:
    """Compile a submission in Numba; see ``LanguageSupport.translate``."""
    return translate_with(NUMBA, _FRONTEND, request)


def _compile(
    request: BuildRequest, sources: tuple[Source, ...], directives: Directives, progress: Progress
) -> None:
    with NumbaProgram.opened(sources, request.macros) as program:
        progress.diagnostics += map(unused_macro_note, program.modules.unused_macros)
        for library, (file, line) in program.modules.missing.items():
            said = reason("library-missing", library=library)
            progress.diagnostics.append(compiler_diagnostic(Severity.NOTE, said, file, line))
        for spec in request.kernels:
            if spec.name in progress.problems:
                continue
            try:
                kernel = program.compile(spec, request)
            except BuildFailed as failure:
                progress.problems[spec.name] = failure.fault
                progress.diagnostics += failure.diagnostics
                continue
            progress.kernels.append(
                FoundKernel(
                    name=spec.name,
                    symbol=kernel.symbol,
                    unit=len(progress.units),
                    abi=Abi.NUMBA,
                    geometry=directives.geometries.get(spec.name),
                    line=kernel.line,
                    file=kernel.file,
                )
            )
            name = f"{kernel.file}:{spec.name}"
            progress.units.append(PtxUnit(name=name, ptx=kernel.ptx, max_registers=kernel.max_registers))


_FRONTEND = Frontend(comments=python_comments, definitions=python_definitions, compile=_compile)
