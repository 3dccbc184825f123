"""Features a lab may rule out, and how each shows in what was built.

PTX is looked at where it can tell, so that a macro cannot hide a feature; the compiler's own headers use inline
PTX, so that one is told by the student's tokens.
"""

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from grader.build.messages import place
from grader.build.ptx import LineTable
from grader.build.tokens import Kind, Token
from grader.errors import UserError

_RUNTIME_CALLS = frozenset({"vprintf", "malloc", "free", "__assertfail", "memcpy", "memset"})


@dataclass(frozen=True, slots=True)
class Feature:
    """A feature that can be forbidden: how a student would call it, and its traces.

    ``instructions`` matches at the start of a PTX instruction, ``words`` are identifiers in a CUDA C file.
    """

    title: str
    instructions: re.Pattern[str] | None = None
    words: frozenset[str] = frozenset()


def _instruction(opcodes: str) -> re.Pattern[str]:
    """A PTX instruction with one of ``opcodes``, after an optional predicate."""
    return re.compile(rf"^[ \t{{]*(?:@!?%\w+\s+)?(?:{opcodes})\b", re.MULTILINE)


FEATURES: Mapping[str, Feature] = {
    "atomics": Feature("atomic operations", _instruction(r"(?:atom|red)\.")),
    "shuffles": Feature("warp shuffles", _instruction(r"shfl\.")),
    "votes": Feature("warp votes and matches", _instruction(r"(?:vote|match|redux)\.|activemask")),
    "tensor-cores": Feature("tensor cores", _instruction(r"(?:wmma|mma|wgmma|tcgen05)\.")),
    "inline-ptx": Feature("inline PTX", words=frozenset({"asm", "__asm", "__asm__"})),
    "dynamic-parallelism": Feature(
        "kernel launches from the GPU",
        re.compile(r"\b(?:cudaLaunchDevice|cudaCDP2?Launch|cudaGetParameterBuffer)\w*"),
    ),
    "external-calls": Feature("calls of functions outside the submission"),
}
"""The features by the name a lab's ``forbid`` gives them."""

_EXTERNAL = re.compile(r"^\.extern \.func\s+(?:\([^)]*\)\s*)?(?P<name>[\w$]+)", re.MULTILINE)
_INLINE = "// begin inline asm"
_PASTE = "##"


def check_names(forbid: Iterable[str]) -> None:
    """Refuse a name that no feature has. Raises: ``UserError``."""
    for name in forbid:
        if name not in FEATURES:
            problem = f"the lab forbids {name!r}, which is no known feature."
            raise UserError(problem, mend=f"Use one of {', '.join(sorted(FEATURES))}.")


def forbidden_in_ptx(ptx: str, forbid: Iterable[str], files: Collection[str]) -> str | None:
    """Why ``ptx`` breaks the lab's rules, with the place in the student's ``files``; ``None`` where it does not."""
    for name in forbid:
        offset = _find(name, ptx)
        if offset is not None:
            file, line = LineTable(ptx, files).place(offset)
            return _reason(name, file, line)
    return None


def forbidden_in_tokens(file: str, tokens: Iterable[Token], ptx: str, forbid: Iterable[str]) -> str | None:
    """The same for a CUDA C file's tokens: words that PTX cannot tell from the compiler's own headers.

    A word put together by ``##`` shows in PTX only, so inline PTX next to token pasting counts as well.
    """
    for name in forbid:
        words = FEATURES[name].words
        for token in tokens:
            if token.kind is Kind.IDENTIFIER and token.text in words:
                return _reason(name, file, token.line)
            if token.kind is Kind.DIRECTIVE and words and _in_macro(token.text, words, ptx):
                return _reason(name, file, token.line)
    return None


def _in_macro(text: str, words: frozenset[str], ptx: str) -> bool:
    return not words.isdisjoint(re.findall(r"\w+", text)) or (_PASTE in text and _INLINE in ptx)


def _find(name: str, ptx: str) -> int | None:
    """Offset of the first trace of a feature."""
    if name == "external-calls":
        return _external_call(ptx)
    pattern = FEATURES[name].instructions
    match = None if pattern is None else pattern.search(ptx)
    return None if match is None else match.end()


def _external_call(ptx: str) -> int | None:
    """Where a function is called that neither the submission nor the CUDA runtime defines."""
    for match in _EXTERNAL.finditer(ptx):
        if match["name"] not in _RUNTIME_CALLS:
            call = re.compile(rf"call[^;]*?\b{re.escape(match['name'])}\b").search(ptx)
            return match.start() if call is None else call.start()
    return None


def _reason(name: str, file: str | None, line: int | None) -> str:
    where = "" if file is None else f"{place(file, line)}: "
    return f"{where}this lab does not allow {FEATURES[name].title} ({name})"
