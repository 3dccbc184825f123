"""Findings about launches that do not start: the device refuses them, or the emulator cannot run them."""

from dataclasses import replace

from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.launch import MAX_BLOCKS
from grader.model.diagnostic import Diagnostic, DiagnosticKind, Severity
from grader.model.module import BuiltKernel
from grader.model.reason import Reason, bounded, reason


def unsupported(error: UnsupportedError, kernel: BuiltKernel) -> Diagnostic:
    """A diagnostic for a feature that ``kernel`` uses and the emulator does not support."""
    found = _rejection(
        DiagnosticKind.UNSUPPORTED, reason("unsupported", what=error.what), reason("use-gpu"), kernel
    )
    if error.location is None:
        return found
    return replace(found, file=error.location.file, line=error.location.line)


def too_many_blocks(blocks: int, kernel: BuiltKernel) -> Diagnostic:
    """A diagnostic for a launch that the device accepts but that takes too long on the emulator."""
    return _rejection(
        DiagnosticKind.UNSUPPORTED,
        reason("too-many-blocks", blocks=bounded(blocks), most=MAX_BLOCKS),
        reason("launch-fewer-blocks"),
        kernel,
    )


def invalid_launch(problem: Reason, kernel: BuiltKernel) -> Diagnostic:
    """A diagnostic for a launch that the device rejects."""
    return _rejection(
        DiagnosticKind.INVALID_LAUNCH,
        reason("invalid-launch", kernel=kernel.name, problem=problem),
        reason("fix-launch"),
        kernel,
    )


def _rejection(kind: DiagnosticKind, message: Reason, advice: Reason, kernel: BuiltKernel) -> Diagnostic:
    """A diagnostic for a launch that does not start, at the line of ``kernel``."""
    return Diagnostic(
        kind=kind,
        severity=Severity.ERROR,
        message=message,
        advice=advice,
        kernel=kernel.name,
        file=kernel.file,
        line=kernel.line,
    )
