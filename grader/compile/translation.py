"""First half of a build: source files to PTX. Student code runs here."""

from dataclasses import dataclass, field

from grader.compile import forbidden
from grader.compile.constants import named_integers
from grader.compile.directives import Comment, Directives, cuda_comments, python_comments, read_directives
from grader.compile.failure import BuildFailed, failed_to_build
from grader.compile.messages import capped, compiler_diagnostic, located_message
from grader.compile.sources import Source, read_source
from grader.languages.builtin import CUDA_C, NUMBA
from grader.model.build import AssemblyRequest, BuildOutcome, BuildRequest, Translation
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.module import Abi, FoundKernel, PtxModule, PtxUnit
from grader.model.reason import reason
from grader.model.run import Fault
from grader.model.submission import Language

_SUFFIXES = {
    Language.CUDA_C: CUDA_C.header_suffixes | {CUDA_C.suffix},
    Language.NUMBA: frozenset({NUMBA.suffix}),
}
_PRINCIPAL = {Language.CUDA_C: CUDA_C.suffix, Language.NUMBA: NUMBA.suffix}


@dataclass(slots=True)
class _Progress:
    """Intermediate results of a build."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    problems: dict[str, Fault] = field(default_factory=dict)
    units: list[PtxUnit] = field(default_factory=list)
    kernels: list[FoundKernel] = field(default_factory=list)


def translate(request: BuildRequest) -> Translation:
    """Compile a submission to PTX and find the kernels that its lab asks for.

    Runs student Python (Numba files are imported): call it only in a worker process with limits. Errors in the
    submission are part of the returned value. Raises: ``UserError`` if the toolchain or the lab is at fault,
    ``InfrastructureError`` if a tool fails.
    """
    forbidden.check_names(request.forbid)
    progress = _Progress()
    try:
        sources = _sources(request, progress)
        directives = read_directives(
            _comments(request.language, sources),
            [spec.name for spec in request.kernels],
            named_integers(request, (source.text for source in sources)),
        )
        progress.diagnostics += directives.diagnostics
        progress.problems |= {
            name: failed_to_build(located_message(problem)) for name, problem in directives.broken.items()
        }
        _BUILDERS[request.language](request, sources, directives, progress)
    except BuildFailed as failure:
        return Translation(
            fault=failure.fault, diagnostics=capped([*progress.diagnostics, *failure.diagnostics])
        )
    return _outcome(sources, progress)


def build(request: BuildRequest) -> BuildOutcome:
    """Compile source to device code in this process: for trusted code only, never for a submission.

    Raises: as ``translate`` and ``assemble``.
    """
    from grader.compile.assembly import assemble  # noqa: PLC0415 - loads the linker, which not every caller needs

    translation = translate(request)
    if translation.module is None:
        return translation.completed(BuildOutcome())
    return translation.completed(assemble(AssemblyRequest.of(translation.module, request)))


def _sources(request: BuildRequest, progress: _Progress) -> tuple[Source, ...]:
    """Decode the submission's files of its language. Raises: ``BuildFailed``."""
    wanted = [file for file in request.files if _suffix(file.name) in _SUFFIXES[request.language]]
    principal = _PRINCIPAL[request.language]
    if not any(_suffix(file.name) == principal for file in wanted):
        raise BuildFailed(reason("no-source-file", suffix=principal))
    sources = []
    for file in wanted:
        source, notes = read_source(file)
        sources.append(source)
        progress.diagnostics += notes
    return tuple(sources)


def _suffix(name: str) -> str:
    dot = name.rfind(".")
    return name[dot:].lower() if dot >= 0 else ""


def _comments(language: Language, sources: tuple[Source, ...]) -> list[Comment]:
    if language is Language.NUMBA:
        return [comment for source in sources for comment in python_comments(source.name, source.text)]
    return [comment for source in sources for comment in cuda_comments(source.name, source.text)]


def _build_cuda_c(
    request: BuildRequest, sources: tuple[Source, ...], directives: Directives, progress: _Progress
) -> None:
    from grader.compile.cuda_c import CudaProgram, Unit  # noqa: PLC0415 - each language loads its own compiler only
    from grader.compile.kernel_matching import KernelMatcher  # noqa: PLC0415 - each language loads its own compiler only

    program = CudaProgram(sources, request.macros)
    progress.diagnostics += map(unused_macro_note, program.unused_macros)
    units: list[Unit] = []
    failures: list[BuildFailed] = []
    for name in program.units:
        try:
            unit = program.compile(name, request.forbid)
        except BuildFailed as failure:
            failures.append(failure)
            progress.diagnostics += failure.diagnostics
        else:
            units.append(unit)
            progress.diagnostics += unit.diagnostics
            progress.units.append(PtxUnit(name=unit.name, ptx=unit.ptx))
    if not units:
        raise BuildFailed(failures[0].reason)
    matcher = KernelMatcher(program, units, request, failures[0].fault if failures else None)
    for spec in request.kernels:
        if spec.name in progress.problems:
            continue
        found = matcher.match(spec, directives.geometries.get(spec.name))
        if isinstance(found, FoundKernel):
            progress.kernels.append(found)
        else:
            progress.problems[spec.name] = found


def _build_numba(
    request: BuildRequest, sources: tuple[Source, ...], directives: Directives, progress: _Progress
) -> None:
    from grader.compile.numba_kernels import NumbaProgram  # noqa: PLC0415 - each language loads its own compiler only

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


_BUILDERS = {Language.CUDA_C: _build_cuda_c, Language.NUMBA: _build_numba}


def unused_macro_note(macro: str) -> Diagnostic:
    """The note about a swept macro that the submission does not define."""
    return compiler_diagnostic(Severity.NOTE, reason("macro-not-defined", subject=macro))


def _outcome(sources: tuple[Source, ...], progress: _Progress) -> Translation:
    diagnostics = capped(progress.diagnostics)
    if not progress.kernels:
        return Translation(
            fault=next(iter(progress.problems.values()), None),
            problems=progress.problems,
            diagnostics=diagnostics,
        )
    module = PtxModule(
        units=tuple(progress.units),
        kernels=tuple(progress.kernels),
        user_files=tuple(source.name for source in sources),
    )
    return Translation(module=module, problems=progress.problems, diagnostics=diagnostics)
