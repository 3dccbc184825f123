"""The instance of a kernel template that host code launches."""

from collections.abc import Mapping, Sequence

from grader.compile.host_launches.values import HostFacts, HostLaunch
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
    All remain if another instance has the same block, as in a ``switch`` over the number of threads: then the source
    does not say which instance fits the block.
    """
    launches = facts.launches_of(kernel)
    by_arguments: dict[TemplateArguments, HostLaunch] = {
        _known(launch.template_arguments, constants): launch for launch in launches
    }
    if len(by_arguments) < 2:  # noqa: PLR2004 - nothing to choose
        return tuple(by_arguments), ()
    chosen, last = _known(launches[-1].template_arguments, constants), launches[-1]
    others = {arguments: launch for arguments, launch in by_arguments.items() if arguments != chosen}
    if any(launch.block == last.block for launch in others.values()):
        return tuple(by_arguments), ()
    facts.launches = [
        launch
        for launch in facts.launches
        if launch.kernel != kernel or _known(launch.template_arguments, constants) == chosen
    ]
    return (chosen,), (_note(kernel, chosen, last, list(others)),)


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
