"""First half of a build, as all languages that Grader brings do it: compilers read student code and make PTX."""

from collections.abc import Callable
from dataclasses import dataclass, field

from grader.compile import forbidden
from grader.compile.constants import Definitions, named_integers
from grader.compile.directives import Comment, Directives, read_directives
from grader.compile.failure import BuildFailed, failed_to_build
from grader.compile.frames.files import is_of_frame
from grader.compile.host_launches.kernels import HostCodeReader
from grader.compile.host_launches.values import HostFacts
from grader.compile.messages import capped, compiler_diagnostic, located_message
from grader.compile.sources import Source, read_source
from grader.languages import LanguageSupport, support
from grader.model.build import AssemblyRequest, BuildOutcome, BuildRequest, Frame, Translation
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.module import FoundKernel, PtxModule, PtxUnit
from grader.model.reason import reason
from grader.model.run import Fault


@dataclass(slots=True)
class Progress:
    """Intermediate results of a build. ``host`` is what the host code does."""

    diagnostics: list[Diagnostic] = field(default_factory=list)
    problems: dict[str, Fault] = field(default_factory=dict)
    units: list[PtxUnit] = field(default_factory=list)
    kernels: list[FoundKernel] = field(default_factory=list)
    host: HostFacts = field(default_factory=HostFacts)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frontend:
    """What differs between languages.

    ``comment`` starts a comment. ``comments`` reads those of a file, by its name and text, for launch directives.
    ``definitions`` reads the constants in a text. ``framed`` puts a student's files into a frame. ``compile`` adds what
    it builds to the ``Progress``. Both raise ``BuildFailed``.
    """

    comment: str
    comments: Callable[[str, str], list[Comment]]
    definitions: Callable[[str], Definitions]
    framed: Callable[[Frame, tuple[Source, ...]], tuple[Source, ...]]
    compile: Callable[[BuildRequest, tuple[Source, ...], Directives, Progress], None]


def translate_with(language: LanguageSupport, frontend: Frontend, request: BuildRequest) -> Translation:
    """Compile a submission to PTX and find the kernels that its lab asks for; see ``LanguageSupport.translate``."""
    forbidden.check_names(request.forbid)
    progress = Progress()
    try:
        sources = speaking = _sources(language, request, progress)
        if request.frame is not None:
            sources = frontend.framed(request.frame, sources)
            # The frame says how its kernels are launched.
            speaking = tuple(source for source in sources if is_of_frame(source.name))
        directives = read_directives(
            [comment for source in speaking for comment in frontend.comments(source.name, source.text)],
            [spec.name for spec in request.kernels],
            named_integers(request, (source.text for source in speaking), frontend.definitions),
        )
        progress.diagnostics += directives.diagnostics
        progress.problems |= {
            name: failed_to_build(located_message(problem)) for name, problem in directives.broken.items()
        }
        frontend.compile(request, sources, directives, progress)
        reader = HostCodeReader(request, progress.host, directives.constants, frontend.comment)
        completed = [reader.complete(found, progress.units[found.unit].ptx) for found in progress.kernels]
        progress.kernels = [found for found, _ in completed]
        progress.diagnostics += [each for _, diagnostics in completed for each in diagnostics]
    except BuildFailed as failure:
        return Translation(
            fault=failure.fault, diagnostics=capped([*progress.diagnostics, *failure.diagnostics])
        )
    return _outcome(sources, progress)


def build(request: BuildRequest) -> BuildOutcome:
    """Compile source to device code in this process: for trusted code only, never for a submission.

    Raises: as ``LanguageSupport.translate`` and ``assemble``.
    """
    from grader.compile.assembly import assemble  # noqa: PLC0415 - loads the linker, which not every caller needs

    translation = support(request.language).translate(request)
    if translation.module is None:
        return translation.completed(BuildOutcome())
    return translation.completed(assemble(AssemblyRequest.of(translation.module, request)))


def _sources(language: LanguageSupport, request: BuildRequest, progress: Progress) -> tuple[Source, ...]:
    """Decode the submission's files of its language. Raises: ``BuildFailed``."""
    suffixes = language.header_suffixes | {language.suffix}
    wanted = [file for file in request.files if _suffix(file.name) in suffixes]
    if not any(_suffix(file.name) == language.suffix for file in wanted):
        raise BuildFailed(reason("no-source-file", suffix=language.suffix))
    sources = []
    for file in wanted:
        source, notes = read_source(file)
        sources.append(source)
        progress.diagnostics += notes
    return tuple(sources)


def _suffix(name: str) -> str:
    dot = name.rfind(".")
    return name[dot:].lower() if dot >= 0 else ""


def unused_macro_note(macro: str) -> Diagnostic:
    """The note about a swept macro that the submission does not define."""
    return compiler_diagnostic(Severity.NOTE, reason("macro-not-defined", subject=macro))


def _outcome(sources: tuple[Source, ...], progress: Progress) -> Translation:
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
