"""Both halves of a build in one process: for code of our own, never for a student's."""

from grader.compile.translation import translate
from grader.model.build import AssemblyRequest, BuildOutcome, BuildRequest


def build(request: BuildRequest) -> BuildOutcome:
    """Source to device code. Raises: as ``translate`` and ``assemble``."""
    from grader.compile.assembly import assemble  # noqa: PLC0415 - it loads the linker, which not every user needs

    translation = translate(request)
    if translation.module is None:
        return translation.completed(BuildOutcome())
    return translation.completed(assemble(AssemblyRequest.of(translation.module, request)))
