"""The instance of a kernel template that host code launches."""

from collections.abc import Mapping, Sequence

from grader.compile.host_launches.values import HostFacts, HostLaunch, dimensions, number_of
from grader.compile.messages import MAX_QUOTED, clean
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.reason import first_of, reason

_SHOWN = 8

TemplateArguments = tuple[str, ...]


def launched_instances(
    facts: HostFacts, kernel: str, constants: Mapping[str, int]
) -> tuple[tuple[TemplateArguments, ...], tuple[Diagnostic, ...]]:
    """The template arguments with which ``kernel`` is launched; a name in ``constants`` is its value.

    Of different ones those of the last launch are taken, as its geometry is, and the other launches leave ``facts``.
    If instances share a block, as in a ``switch`` over the number of threads, the one with its width as an argument is
    taken; all remain if none has it.
    """
    launches = facts.launches_of(kernel)
    by_arguments: dict[TemplateArguments, HostLaunch] = {
        _known(launch.template_arguments, constants): launch for launch in launches
    }
    if len(by_arguments) < 2:  # noqa: PLR2004 - nothing to choose
        return tuple(by_arguments), ()
    last = launches[-1]
    sharing = [arguments for arguments, launch in by_arguments.items() if launch.block == last.block]
    if len(sharing) > 1:
        sharing = [arguments for arguments in sharing if _width(last) in arguments]
    if len(sharing) != 1:
        return tuple(by_arguments), ()
    chosen = sharing[0]
    others = [arguments for arguments in by_arguments if arguments != chosen]
    facts.launches = [
        launch
        for launch in facts.launches
        if launch.kernel != kernel or _known(launch.template_arguments, constants) == chosen
    ]
    return (chosen,), (_note(kernel, chosen, by_arguments[chosen], others),)


def _width(launch: HostLaunch) -> str | None:
    """The extent of the block in x, if it is a known number."""
    block = dimensions(launch.block)
    width = None if block is None else number_of(block.x)
    return None if width is None else str(width)


def _known(arguments: TemplateArguments, constants: Mapping[str, int]) -> TemplateArguments:
    return tuple(str(constants.get(argument, argument)) for argument in arguments)


def _note(
    kernel: str, chosen: TemplateArguments, launch: HostLaunch, others: Sequence[TemplateArguments]
) -> Diagnostic:
    location = SourceLocation(file=launch.file, line=launch.line)
    return Diagnostic(
        kind=DiagnosticKind.HOST_LAUNCH,
        severity=Severity.NOTE,
        message=reason(
            "instance-chosen",
            location=location,
            kernel=kernel,
            instance=_instance(kernel, chosen),
            others=first_of([f"`{_instance(kernel, each)}`" for each in others], _SHOWN),
        ),
        file=launch.file,
        line=launch.line,
    )


def _instance(kernel: str, arguments: TemplateArguments) -> str:
    return clean(f"{kernel}<{', '.join(arguments)}>", MAX_QUOTED)
