"""Read the parameters of a compiled CUDA C kernel from its mangled name."""

import re
from dataclasses import dataclass

from grader.compile.mangled_names import demangle

_POINTEE = re.compile(r"(.*?)\s*\bconst\b\s*(\*.*)?")
_CLOSERS = {")": "(", ">": "<", "]": "[", "}": "{"}


@dataclass(frozen=True, slots=True)
class Signature:
    """A compiled kernel's name without namespaces, and its parameter types in C++ spelling.

    ``instance`` is its name with template arguments if it is an instance of a template, and otherwise empty.
    """

    name: str
    types: tuple[str, ...]
    instance: str = ""

    def spelled(self, index: int) -> str:
        """The type of one parameter as a student writes it."""
        return _cpp_spelling(self.types[index])

    def __str__(self) -> str:
        return f"__global__ void {self.name}({', '.join(map(_cpp_spelling, self.types))})"


def _cpp_spelling(kind: str) -> str:
    """``float const*`` in the usual spelling: ``const float*``."""
    match = _POINTEE.fullmatch(kind)
    return kind if match is None or "(" in kind else f"const {match[1]}{match[2] or ''}"


def read_signature(symbol: str) -> Signature | None:
    """The signature of a mangled ``symbol``; ``None`` for an ``extern "C"`` name, which contains no types."""
    demangled = demangle(symbol)
    if demangled is None or not demangled.endswith(")"):
        return None
    opening = _opening(demangled, len(demangled) - 1)
    if opening is None:
        return None
    head, arguments = demangled[:opening], demangled[opening + 1 : -1]
    arguments_of_template = ""
    if head.endswith(">"):
        start = _opening(head, len(head) - 1)
        head, arguments_of_template = head[:start], head[start:]
    name = re.split(r"::|\s", head)[-1]
    instance = f"{name}{arguments_of_template}" if arguments_of_template else ""
    return Signature(name, _split(arguments), instance)


def read_function_type(mangled: str, name: str) -> Signature | None:
    """The signature of ``name`` from the mangled name of a template instantiated with its function type.

    ``probe<void (float const*, int)>()`` gives ``float const*, int``.
    """
    demangled = demangle(mangled) or ""
    match = re.search(r"<void ?\((.*)\)>\(\)$", demangled)
    return None if match is None else Signature(name, _split(match[1]))


def _opening(text: str, end: int) -> int | None:
    """The index of the bracket that matches the closing one at ``end``."""
    depth = 0
    for index in range(end, -1, -1):
        depth += (text[index] in _CLOSERS) - (text[index] in _CLOSERS.values())
        if depth == 0:
            return index
    return None


def _split(arguments: str) -> tuple[str, ...]:
    """Split at the outermost commas; ``void`` and an empty text have no arguments."""
    if arguments.strip() in {"", "void"}:
        return ()
    parts, depth, start = [], 0, 0
    for index, char in enumerate(arguments):
        depth += (char in _CLOSERS.values()) - (char in _CLOSERS)
        if char == "," and depth == 0:
            parts.append(arguments[start:index].strip())
            start = index + 1
    return (*parts, arguments[start:].strip())
