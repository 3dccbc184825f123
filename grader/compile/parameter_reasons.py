"""What is said about the parameters of a kernel: which arguments they take, or why that is not certain."""

from collections.abc import Callable, Sequence

from grader.compile.bound_parameters import Binding, Declared, Unbound
from grader.compile.messages import MAX_QUOTED, clean
from grader.compile.parameter_types import Kind, kind_of
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.kernel import KernelSpec, Param
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason


def binding_note(
    spec: KernelSpec, binding: Binding, spell: Callable[[Param], str], location: SourceLocation
) -> tuple[Diagnostic, ...]:
    """A note about parameters with another place or name than the lab's, and about those that the kernel lacks."""
    missing = [spec.params[index] for index in binding.missing]
    changes = [
        *(_taken(spec, binding, index) for index in binding.moved),
        *(_renamed(spec, binding, index) for index in binding.renamed(spec.params)),
        *(reason("parameter-not-passed", parameter=param.name) for param in missing),
    ]
    if not changes:
        return ()
    sizes = tuple(f"`{spell(param)}`" for param in missing if kind_of(param) is Kind.VALUE)
    note = Diagnostic(
        kind=DiagnosticKind.PARAMETERS,
        severity=Severity.NOTE,
        message=reason("parameters-mapped", kernel=spec.name, changes=tuple(changes)),
        advice=reason("sizes-not-declared", sizes=sizes) if sizes else None,
        file=location.file,
        line=location.line,
    )
    return (note,)


def _taken(spec: KernelSpec, binding: Binding, index: int) -> Reason:
    taken = binding.taken[index]
    return reason(
        taken.evidence.value,
        name=_shown(binding.declared[index]),
        number=index + 1,
        parameter=spec.params[taken.source].name,
    )


def _renamed(spec: KernelSpec, binding: Binding, index: int) -> Reason:
    parameter = spec.params[binding.taken[index].source].name
    return reason("parameter-renamed", name=_shown(binding.declared[index]), parameter=parameter)


def binding_failed(  # noqa: PLR0913 - what the statement shows, all but three by keyword
    spec: KernelSpec,
    unbound: Unbound,
    declared: Sequence[Declared],
    *,
    written: str,
    wanted: str,
    spell: Callable[[Param], str],
    location: SourceLocation,
) -> Reason:
    """Why the parameters of a kernel cannot take the lab's arguments.

    ``written`` is the kernel's declaration, ``wanted`` the lab's; ``spell`` gives the declaration of one parameter.
    """
    asked = [spec.params[index] for index in unbound.sources]
    common = {"kernel": spec.name, "wanted": wanted, "declared": written}
    if unbound.index is None:
        names = tuple(f"`{spell(param)}`" for param in asked)
        return reason("parameter-missing", location=location, parameters=names, **common)
    own, number = declared[unbound.index], unbound.index + 1
    if unbound.code == "parameter-differs":
        return reason(
            "parameter-differs",
            location=location,
            number=number,
            found=clean(own.spelling, MAX_QUOTED),
            parameter=spell(asked[0]),
            **common,
        )
    if unbound.code == "parameter-unknown":
        return reason("parameter-unknown", location=location, number=number, found=_shown(own), **common)
    meant = tuple(f"`{param.name}`" for param in asked)
    return reason(
        "parameter-ambiguous", location=location, number=number, found=_shown(own), parameters=meant, **common
    )


def _shown(declared: Declared) -> str:
    return clean(declared.name or declared.spelling, MAX_QUOTED)
