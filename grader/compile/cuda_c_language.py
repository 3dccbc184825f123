"""CUDA C, as a language of submissions: each ``.cu`` file becomes PTX, in which the lab's kernels are found."""

from grader.compile.constants import cuda_c_definitions
from grader.compile.cuda_c import CudaProgram, Unit
from grader.compile.directives import Directives, cuda_comments
from grader.compile.failure import BuildFailed
from grader.compile.frames.cuda_c import framed, units_of
from grader.compile.frames.files import is_of_frame
from grader.compile.host_launches.c_program import read_cuda_c
from grader.compile.host_launches.instances import TemplateArguments, launched_instances
from grader.compile.kernel_matching import KernelMatcher, MatchedKernel
from grader.compile.sources import Source
from grader.compile.templates import kernel_templates, wanted_instances
from grader.compile.translation import Frontend, Progress, translate_with, unused_macro_note
from grader.languages.builtin import CUDA_C
from grader.model.build import BuildRequest, Translation
from grader.model.module import PtxUnit


def translate(request: BuildRequest) -> Translation:
    """Compile a submission in CUDA C; see ``LanguageSupport.translate``."""
    return translate_with(CUDA_C, _FRONTEND, request)


def _compile(
    request: BuildRequest, sources: tuple[Source, ...], directives: Directives, progress: Progress
) -> None:
    program = CudaProgram(sources, request.macros)
    units_to_compile = program.units if request.frame is None else units_of(program)
    progress.host = read_cuda_c(
        {name: each for name, each in program.outlines.items() if request.frame is None or is_of_frame(name)}
    )
    progress.diagnostics += map(unused_macro_note, program.unused_macros)
    launched: dict[str, tuple[TemplateArguments, ...]] = {}
    for spec in request.kernels:
        if kernel_templates(program.outlines, spec.name):
            launched[spec.name], notes = launched_instances(progress.host, spec.name, directives.constants)
            progress.diagnostics += notes
    instances = wanted_instances(program.outlines, request.kernels, launched)
    units: list[Unit] = []
    failures: list[BuildFailed] = []
    for name in units_to_compile:
        try:
            unit = program.compile(name, request.forbid, instances)
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
        if isinstance(found, MatchedKernel):
            progress.kernels.append(found.kernel)
            progress.diagnostics += found.notes
        else:
            progress.problems[spec.name] = found


_FRONTEND = Frontend(
    comment="//",
    comments=cuda_comments,
    definitions=cuda_c_definitions,
    framed=framed,
    compile=_compile,
)
