"""Complete the kernels that a build found with what the host code does for them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from grader.compile.host_launches.choice import EXAMPLE, choose, directive_line
from grader.compile.host_launches.geometry_text import LaunchTarget
from grader.compile.host_launches.values import HostFacts, SymbolWrite
from grader.compile.messages import MAX_QUOTED, clean
from grader.compile.ptx import mentioned_symbols
from grader.model.arguments import ArgumentMap
from grader.model.build import BuildRequest
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.kernel import KernelSpec
from grader.model.location import SourceLocation
from grader.model.module import FoundKernel
from grader.model.plan import Geometry
from grader.model.reason import Reason, reason

_WORD = re.compile(r"[A-Za-z_]\w*")
_NOT_SIZES = frozenset({"ceil", "floor", "log2", "min", "max"})
_ASSIGNED = "="


@dataclass(frozen=True, slots=True)
class HostCodeReader:
    """The host code of one submission. ``constants`` are its named integers; ``comment`` starts a comment."""

    request: BuildRequest
    facts: HostFacts
    constants: Mapping[str, int]
    comment: str

    def complete(self, found: FoundKernel, ptx: str) -> tuple[FoundKernel, tuple[Diagnostic, ...]]:
        """``found`` with the geometry of host code, unless a directive gives one, and what to say about it."""
        diagnostics: list[Diagnostic] = []
        spec = next(spec for spec in self.request.kernels if spec.name == found.name)
        default = self.request.launches.get(found.name)
        if found.geometry is None:
            target = self._target(spec, found.arguments, default)
            choice = choose(found.name, self.facts.launches_of(found.name), target, self.comment)
            found = replace(
                found, geometry=choice.geometry, host_origin=choice.origin, unread_launch=choice.unread
            )
            diagnostics += choice.diagnostics
        symbols = mentioned_symbols(ptx, found.symbol)
        diagnostics += self._shared_size_missing(found, default) if symbols.dynamic_shared else []
        filled = {symbol.name for symbol in spec.symbols}
        writes = [
            write
            for write in self.facts.symbol_writes
            if symbols.has(write.symbol) and write.symbol not in filled
        ]
        unset = {write.symbol: _unset(found.name, write) for write in reversed(writes)}
        diagnostics += [_diagnostic(Severity.WARNING, said) for said in unset.values()]
        return replace(found, unset_symbols=tuple(unset.values())), tuple(diagnostics)

    def _target(
        self, spec: KernelSpec, arguments: ArgumentMap | None, default: Geometry | None
    ) -> LaunchTarget:
        taken = (arguments or ArgumentMap.identity(spec.params)).passed
        texts = [*(param.name for param in spec.params if not param.is_array)]
        texts += [dim for param in spec.params for dim in param.dims]
        names = {word for text in texts for word in _WORD.findall(text)} - _NOT_SIZES
        return LaunchTarget(
            parameters=[spec.params[each.source] for each in taken],
            sizes=frozenset(names),
            default=default,
            constants=self.constants,
        )

    def _shared_size_missing(self, found: FoundKernel, default: Geometry | None) -> list[Diagnostic]:
        """The warning that dynamic shared memory has no size, unless it has one."""
        used = found.geometry or default
        if found.unread_launch is not None or (used is not None and used.shared != "0"):
            return []
        example = replace(used or EXAMPLE, shared="block*4")
        directive = directive_line(found.name, example, self.comment)
        location = SourceLocation(file=found.file, line=found.line)
        said = reason("shared-size-missing", location=location, kernel=found.name, directive=directive)
        return [_diagnostic(Severity.WARNING, said)]


def _unset(kernel: str, write: SymbolWrite) -> Reason:
    location = SourceLocation(file=write.file, line=write.line)
    symbol = clean(write.symbol, MAX_QUOTED)
    if write.call == _ASSIGNED:
        return reason("symbol-assigned-by-host", location=location, kernel=kernel, symbol=symbol)
    return reason("symbol-set-by-host", location=location, kernel=kernel, symbol=symbol, call=write.call)


def _diagnostic(severity: Severity, said: Reason) -> Diagnostic:
    location = said.location or SourceLocation(file=None)
    return Diagnostic(
        kind=DiagnosticKind.HOST_LAUNCH,
        severity=severity,
        message=said,
        file=location.file,
        line=location.line,
    )
