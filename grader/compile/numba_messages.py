"""Numba's compile errors as one-line messages with a line of the student's file."""

import re
from collections.abc import Collection
from types import TracebackType

from grader.compile.messages import clean, compiler_diagnostic
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.location import SourceLocation
from grader.model.reason import as_written, reason

_ANSI = re.compile(r"\x1b\[[0-9;]*m")
_FILE_LINE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)')
_RAISED_FROM = re.compile(r"(?:\.{1,2} Raised from|at) (?P<file>[^\n]+?) \((?P<line>\d+)\)")
_NO_LOCATION = re.compile(r"\.{1,2} Raised from None|, defined at None| for '\$[^']*'")
_NOISE = re.compile(r"Failed in \w+ mode pipeline.*|During: .*|\s*")
_END = re.compile(r"\s*(?:File \"|There are \d+ candidate|raised from |- Of which )")
_FUNCTION = re.compile(r"Function\(<[^<>]*?(?P<name>[\w.]+)(?: at 0x\w+)?>\)")
_LITERAL = re.compile(r"Literal\[(\w+)\]\([^()]*\)")
_ENOUGH = 4
_BYTECODE = "ByteCodeInst"
_MAX_TEXT = 300
"""Length in characters at which Numba's text is cut, so that the advice has room."""

_ADVICE = (
    (
        re.compile(r"No implementation of function (?:shared|local)\.array"),
        reason("array-size-not-constant"),
    ),
    (
        re.compile(r"No conversion from \w+ to none"),
        reason("kernel-returns-value"),
    ),
    (
        re.compile(r"Untyped global name .* <class 'function'>"),
        reason("function-not-device"),
    ),
)


def compile_failure(error: BaseException, files: Collection[str], kernel: SourceLocation) -> Diagnostic:
    """A compile error as a diagnostic; its location is that of the ``kernel`` if the error names none."""
    try:
        text = _ANSI.sub("", str(error))
    except Exception:  # noqa: BLE001 - the error may quote a student's object, and its repr may raise
        text = type(error).__name__
    where = (
        _named_location(text, files)
        or _traced_location(error.__traceback__, files, str(kernel.file))
        or (kernel.file, kernel.line)
    )
    essence = _essence(text) or type(error).__name__
    own = clean(essence, _MAX_TEXT)
    numbas = type(error).__module__.startswith("numba")
    said = as_written(own) if numbas else reason("numba-cannot-compile", text=own)
    advice = next((advice for pattern, advice in _ADVICE if pattern.search(essence)), None)
    if advice is not None:
        said = reason("with-advice", problem=said, advice=advice)
    return compiler_diagnostic(Severity.ERROR, said, *where)


def _named_location(text: str, files: Collection[str]) -> tuple[str, int] | None:
    for pattern in (_FILE_LINE, _RAISED_FROM):
        for match in pattern.finditer(text):
            if match["file"] in files:
                return match["file"], int(match["line"])
    return None


def _traced_location(
    trace: TracebackType | None, files: Collection[str], kernel_file: str
) -> tuple[str, int] | None:
    """The source line that Numba was compiling: its constraints and instructions have a ``loc``.

    A bytecode instruction has a line number only, which is assumed to be in the kernel's file.
    """
    found = None
    while trace is not None:
        for value in list(trace.tb_frame.f_locals.values()):
            if not type(value).__module__.startswith("numba"):
                continue
            if type(value).__name__ == _BYTECODE and value.lineno > 0:
                return kernel_file, int(value.lineno)
            loc = getattr(value, "loc", None)
            file, line = getattr(loc, "filename", None), getattr(loc, "line", None)
            if isinstance(file, str) and file in files and isinstance(line, int):
                found = (file, line)
        trace = trace.tb_next
    return found


def _essence(text: str) -> str:
    """The first paragraph that states the problem, with the call that causes it."""
    lines: list[str] = []
    for line in text.splitlines():
        if _NOISE.fullmatch(line):
            continue
        if _END.match(line) or len(lines) == _ENOUGH:
            break
        lines.append(line.strip().removeprefix(">>> "))
    message = _NO_LOCATION.sub("", _RAISED_FROM.sub("", " ".join(lines)))
    return _LITERAL.sub(r"\1", _FUNCTION.sub(r"\g<name>", message)).strip()
