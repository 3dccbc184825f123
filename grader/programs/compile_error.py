"""Why a program does not compile, from the output of its compilers."""

import re
from dataclasses import replace
from pathlib import Path

from grader.compile.messages import capped, compiler_diagnostic, quoted
from grader.errors import UserError
from grader.messages import render
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.reason import Reason, reason
from grader.model.text import printable

_MOST_MESSAGES = 20
_UNDEFINED = re.compile(r"undefined reference to `([^']+)'")
_ERROR = re.compile(r"^(?P<file>[^\s(:]+)[(:](?P<line>\d+)[):].*?error[:\s]+(?P<text>.*)$", re.MULTILINE)


_ADVICE = (
    (re.compile(r"\btexture is not a template|\bcuda(?:Bind|Unbind)Texture"), "use-texture-objects"),
    (re.compile(r"\bsurface is not a template|\bcudaBindSurface"), "use-surface-objects"),
    (re.compile(r"\bidentifier \"(?:cu[A-Z]|nvrtc)\w*\" is undefined"), "use-the-runtime"),
)
"""What to write instead of what CUDA or this runtime does not have, by the compiler's message."""


class CompileError(UserError):
    """A program does not compile.

    ``reason`` says why, ``diagnostics`` are the compilers' messages at their lines, ``lacking`` the functions that it
    calls and nothing defines.
    """

    def __init__(
        self, why: Reason, diagnostics: tuple[Diagnostic, ...] = (), lacking: tuple[str, ...] = ()
    ) -> None:
        self.reason = why
        self.diagnostics = diagnostics
        self.lacking = lacking
        super().__init__("\n".join([f"{render(why)}.", *map(_line, diagnostics[:_MOST_MESSAGES])]))


def _line(found: Diagnostic) -> str:
    """A message as compilers write it."""
    said = render(found.message)
    if isinstance(found.advice, Reason):
        said = f"{said} ({render(found.advice)})"
    return said if found.file is None else f"{found.file}:{found.line}: {said}"


def compile_error(output: str) -> CompileError:
    """The error that compilers explain in ``output``."""
    lacking = tuple(sorted({printable(name) for name in _UNDEFINED.findall(output)}))
    if lacking:
        return CompileError(reason("program-lacks", names=lacking[:_MOST_MESSAGES]), lacking=lacking)
    found = [
        replace(
            compiler_diagnostic(Severity.ERROR, quoted(m["text"]), Path(m["file"]).name, int(m["line"])),
            advice=_advice(m["text"]),
        )
        for m in _ERROR.finditer(output)
    ] or [compiler_diagnostic(Severity.ERROR, quoted(line)) for line in output.splitlines() if line.strip()]
    return CompileError(reason("program-does-not-compile"), capped(found))


def _advice(message: str) -> Reason | None:
    return next((reason(code) for pattern, code in _ADVICE if pattern.search(message)), None)
