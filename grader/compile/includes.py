"""Resolve the includes of a CUDA C file: the submission's headers, stubs for host headers, the toolkit's headers.

For a name that a student wrote, the compiler may search no folder other than the toolkit's header folders, and those
only if the header exists there.
"""

import posixpath
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from cuda import pathfinder

from grader.compile.failure import BuildFailed
from grader.compile.messages import MAX_QUOTED, clean, compiler_diagnostic
from grader.compile.stub_headers import PRELUDE, stub_header
from grader.compile.tokens import Kind, Token, directive, tokenize
from grader.errors import UserError
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.location import SourceLocation
from grader.model.reason import reason

_INCLUDES = frozenset({"include", "include_next", "import", "embed"})
_TARGET = re.compile(r"""(?:"(?P<quoted>[^"\n]*)"|<(?P<angled>[^>\n]*)>)\s*""")
_PROBES = re.compile(r"__has_(?:include|include_next|embed)")
_HEADER_FOLDERS = ("cudart", "cccl")

NEEDED = {
    "nvidia-cuda-runtime": Path("cooperative_groups.h"),
    "nvidia-cuda-cccl": Path("cuda", "std", "cstdint"),
    "nvidia-cuda-crt": Path("crt", "mma.h"),
}
"""The packages that hold the toolkit's headers, each with one header that shows whether it is installed."""
_NESTED_FOLDERS = (Path("cooperative_groups", "details"), Path("crt"))


@dataclass(slots=True)
class Resolved:
    """The headers of a unit, by the name in the ``#include`` line.

    ``own`` maps to a file of the submission, ``stubs`` to the text of a stub header. ``toolkit``: the unit also needs
    headers of the CUDA toolkit.
    """

    stubs: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)
    toolkit: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Include:
    name: str
    file: str
    line: int
    quoted: bool


def resolve(unit: str, tokens: Mapping[str, tuple[Token, ...]]) -> Resolved:
    """Resolve every header that ``unit`` includes, directly or not. ``tokens`` are those of the submission, by file.

    Raises: ``BuildFailed`` for an include with a path outside the submission or a computed target.
    """
    resolved = Resolved()
    waiting, seen = [unit], {unit}
    while waiting:
        file = waiting.pop()
        for include in _includes(file, tokens[file]):
            own = _own_file(include, tokens)
            if own is not None:
                resolved.own.setdefault(include.name, own)
                if own not in seen:
                    seen.add(own)
                    waiting.append(own)
            else:
                _resolve_foreign(include, resolved)
    _add_stub(PRELUDE, resolved)
    return resolved


def toolkit_options() -> list[str]:
    """Compiler options that make the toolkit's device headers reachable.

    Raises: ``UserError`` where the headers are not installed.
    """
    folders = [folder for folder in map(_header_folder, _HEADER_FOLDERS) if folder is not None]
    for package, header in NEEDED.items():
        if not any((folder / header).is_file() for folder in folders):
            problem = f"a part of the CUDA headers ({header}) is not installed."
            raise UserError(problem, hint=f"Install {package}.")
    nested = [folder / inner for folder in folders for inner in _NESTED_FOLDERS if (folder / inner).is_dir()]
    return [f"-I{folder}" for folder in (*folders, *nested)]


def toolkit_folders() -> tuple[str, ...]:
    """Folders of the toolkit's headers, as they appear in compiler messages."""
    return tuple(str(folder) for folder in map(_header_folder, _HEADER_FOLDERS) if folder is not None)


@cache
def _header_folder(library: str) -> Path | None:
    found = pathfinder.find_nvidia_header_directory(library)
    return None if found is None else Path(found)


def _includes(file: str, tokens: tuple[Token, ...]) -> list[_Include]:
    found = []
    for token in tokens:
        if token.kind is not Kind.DIRECTIVE:
            continue
        name, rest = directive(token)
        if _PROBES.search(rest):
            raise BuildFailed(reason("include-test", location=_location(file, token.line)))
        if name in _INCLUDES:
            found.append(_target(file, token.line, name, rest))
    return found


def _target(file: str, line: int, name: str, rest: str) -> _Include:
    match = _TARGET.fullmatch(rest)
    if match is None or name != "include":
        raise BuildFailed(reason("include-computed", location=_location(file, line)))
    quoted, angled = match.group("quoted"), match.group("angled")
    target = quoted if angled is None else angled
    parts = target.replace("\\", "/").split("/")
    if not target.strip() or parts[0] == "" or ".." in parts or ":" in target:
        raise BuildFailed(reason("include-outside", location=_location(file, line)))
    return _Include(target, file, line, quoted is not None)


def _location(file: str, line: int) -> SourceLocation:
    return SourceLocation(file=file, line=line)


def _own_file(include: _Include, files: Mapping[str, tuple[Token, ...]]) -> str | None:
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(include.file), include.name))
    for name in (beside, posixpath.normpath(include.name)):
        if name in files:
            return name
    return None


def _resolve_foreign(include: _Include, resolved: Resolved) -> None:
    """Resolve a header that is not in the submission: a stub, a toolkit header, or an empty file and a warning."""
    name = include.name
    if name in resolved.stubs:
        return
    if stub_header(name) is not None:
        _add_stub(name, resolved)
    elif any((Path(folder) / name).is_file() for folder in toolkit_folders()):
        resolved.toolkit = True
    else:
        resolved.stubs[name] = ""
        header = clean(name, MAX_QUOTED)
        said = (
            reason("header-missing", header=header)
            if include.quoted
            else reason("header-unavailable", header=header)
        )
        resolved.diagnostics.append(compiler_diagnostic(Severity.WARNING, said, include.file, include.line))


def _add_stub(name: str, resolved: Resolved) -> None:
    """Add a stub header and the stub headers that it includes."""
    content = stub_header(name)
    if content is None or name in resolved.stubs:
        return
    resolved.stubs[name] = content
    for include in _includes(name, tuple(tokenize(content))):
        _add_stub(include.name, resolved)
