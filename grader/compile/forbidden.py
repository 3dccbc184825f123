"""Features that a lab may forbid, and how each is detected in the compiled code.

Most features are searched for in PTX, where a macro cannot hide them. Inline PTX is searched for in the student's
tokens, because the compiler's own headers use it too.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from grader.compile.messages import located
from grader.compile.ptx import Entry, LineTable, blank_comments, entries, external_calls
from grader.compile.tokens import Kind, Token, pastes
from grader.errors import UserError
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason

Finder = Callable[[str], Iterator[int]]
"""Maps PTX text to the offsets at which a feature occurs."""

_INLINE = "// begin inline asm"
_CLOCK = re.compile(
    r"%(?:clock(?:64|_hi)?|globaltimer(?:_lo|_hi)?|gridid|current_graph_exec|pm\d+(?:_64)?|envreg(?![12]\b)\d+)(?![\w$])"
)
"""CUDA's own grid barriers read ``%envreg1`` and ``%envreg2``, the address of their workspace."""
_LAUNCH_CALLS = ("cudaLaunchDevice", "cudaCDP", "cudaGetParameterBuffer")


def _instructions(opcodes: str) -> Finder:
    """Find instructions with one of ``opcodes``, also directly after a ``.loc`` or a number without a blank.

    ptxas splits an opcode at its dots and allows blanks there.
    """
    spaced = opcodes.replace(r"\.", r"\s*\.")
    pattern = re.compile(rf"(?<![\w.$%])(?:\.?\d[\w.]*?)?(?:{spaced})\b")
    return lambda ptx: (match.end() for match in pattern.finditer(blank_comments(ptx)))


def _clocks(ptx: str) -> Iterator[int]:
    """Reads of registers that differ between two launches of a kernel on the same memory, or that measure time."""
    return (match.start() for match in _CLOCK.finditer(blank_comments(ptx)))


def _device_launches(ptx: str) -> Iterator[int]:
    return (offset for offset, name in external_calls(ptx) if name.startswith(_LAUNCH_CALLS))


def _external_calls(ptx: str) -> Iterator[int]:
    return (offset for offset, _ in external_calls(ptx))


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature that can be forbidden: the code of the statement that says so, and how it is detected.

    ``find`` searches PTX; ``words`` are identifiers in a CUDA C file.
    """

    code: str
    find: Finder = lambda _: iter(())
    words: frozenset[str] = frozenset()


FEATURES: Mapping[str, Feature] = {
    "atomics": Feature("forbidden-atomics", _instructions(r"(?:atom|red|cp\.reduce)\.")),
    "float-atomics": Feature(
        "forbidden-float-atomics",
        _instructions(r"(?:atom|red)(?:\.[\w:]+)*\.(?:b?f\d\w*|exch|cas)|cp\.reduce\."),
    ),
    "shuffles": Feature("forbidden-shuffles", _instructions(r"shfl\.")),
    "votes": Feature("forbidden-votes", _instructions(r"(?:vote|match|redux|activemask)\.")),
    "tensor-cores": Feature("forbidden-tensor-cores", _instructions(r"(?:wmma|mma|wgmma|tcgen05)\.")),
    "inline-ptx": Feature("forbidden-inline-ptx", words=frozenset({"asm", "__asm", "__asm__"})),
    "dynamic-parallelism": Feature("forbidden-dynamic-parallelism", _device_launches),
    "clocks": Feature("forbidden-clocks", _clocks),
    "external-calls": Feature("forbidden-external-calls", _external_calls),
}
"""The features by the name a lab's ``forbid`` gives them."""


def check_names(forbid: Iterable[str]) -> None:
    """Check that every name is a known feature. Raises: ``UserError``."""
    for name in forbid:
        if name not in FEATURES:
            problem = f"the lab forbids {name!r}, which is not a known feature."
            raise UserError(problem, hint=f"Use one of {', '.join(sorted(FEATURES))}.")


def forbidden_in_kernel(
    ptx: str, kernel: Entry, forbid: Iterable[str], files: Collection[str]
) -> Reason | None:
    """How ``kernel`` breaks the lab's rules, with the location in the student's ``files``; ``None`` if it does not."""
    for name in forbid:
        for file, line in occurrences(ptx, kernel, FEATURES[name], files):
            return _reason(name, file, line)
    return None


def occurrences(
    ptx: str, kernel: Entry, feature: Feature, files: Collection[str]
) -> Iterator[tuple[str | None, int | None]]:
    """The locations in the student's ``files`` at which the code of ``kernel`` uses ``feature``.

    Functions that are not kernels count for every kernel, because any kernel may call them.
    """
    offsets = list(feature.find(ptx))
    if not offsets:
        return
    others = [entry for entry in entries(ptx) if entry.symbol != kernel.symbol]
    table = LineTable(ptx, files)
    for offset in offsets:
        if not any(entry.start <= offset < entry.end for entry in others):
            yield table.location(offset)


def clock_reading(ptx: str, kernel: Entry, files: Collection[str]) -> SourceLocation | None:
    """The first location at which ``kernel`` reads a clock or the number of its launch; ``None`` if it reads neither.

    With either a kernel could tell timed launches from launches with checked output: the time between two launches,
    and the number of the grader's launches in between, differ.
    """
    found = occurrences(ptx, kernel, FEATURES["clocks"], files)
    return next((SourceLocation(file=file, line=line) for file, line in found), None)


def forbidden_in_tokens(file: str, tokens: Iterable[Token], ptx: str, forbid: Iterable[str]) -> Reason | None:
    """The same for the tokens of a CUDA C file: words that PTX cannot tell from the compiler's own headers.

    A word built by ``##`` is visible in PTX only, so inline PTX beside token pasting counts as well.
    """
    for name in forbid:
        words = FEATURES[name].words
        for token in tokens:
            if token.kind is Kind.IDENTIFIER and token.text in words:
                return _reason(name, file, token.line)
            if token.kind is Kind.DIRECTIVE and words and _in_macro(token, words, ptx):
                return _reason(name, file, token.line)
    return None


def _in_macro(token: Token, words: frozenset[str], ptx: str) -> bool:
    return not words.isdisjoint(re.findall(r"\w+", token.text)) or (pastes(token) and _INLINE in ptx)


def _reason(name: str, file: str | None, line: int | None) -> Reason:
    return located(reason(FEATURES[name].code), file, line)
