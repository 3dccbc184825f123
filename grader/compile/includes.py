"""Resolve the includes of a CUDA C file: the submission's headers, stubs for host headers, the toolkit's headers.

Every ``#include`` is replaced by one with a name that was resolved here, or removed. So no name that a student wrote
reaches the compiler, which could look for it on the disk.
"""

import posixpath
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field

from grader.compile.failure import BuildFailed
from grader.compile.messages import MAX_QUOTED, clean, compiler_diagnostic
from grader.compile.pasted_names import find_pasted
from grader.compile.stub_headers import PRELUDE, TOOLKIT_OVERRIDES, stub_header
from grader.compile.tokens import Kind, Token, directive, tokenize
from grader.compile.toolkit_headers import toolkit_header
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.location import SourceLocation
from grader.model.reason import Reason, reason

PROBES = ("__has_include", "__has_include_next", "__has_embed")
"""Operators that show whether a file exists."""

_INCLUDES = frozenset({"include", "include_next", "import", "embed"})
_TARGET = re.compile(r"""(?:"(?P<quoted>[^"\n]*)"|<(?P<angled>[^>\n]*)>)\s*""")
_PROBED = re.compile("|".join(PROBES))
_CURAND = re.compile(r"curand_\w+\.h")
_CURAND_ON_HOST = "curand.h"
_OWN = "submission/"
"""Folder of the submission's headers in the compiler's eyes: no header of the toolkit is in a folder of that name."""


@dataclass(slots=True)
class Resolved:
    """The headers of a unit, by the name under which the compiler reads them.

    ``own`` maps to a file of the submission, ``stubs`` to the text of a stub header. ``texts`` are the ``#include``
    lines of each file as the compiler gets them, by the offset of the student's. ``toolkit`` are the includes of
    toolkit headers, each with its location; ``needs_toolkit``: the unit or a stub includes one.
    """

    stubs: dict[str, str] = field(default_factory=dict)
    own: dict[str, str] = field(default_factory=dict)
    texts: dict[str, dict[int, str]] = field(default_factory=dict)
    toolkit: dict[str, SourceLocation] = field(default_factory=dict)
    needs_toolkit: bool = False
    diagnostics: list[Diagnostic] = field(default_factory=list)

    def own_name(self, file: str) -> str:
        """The name under which the compiler reads a ``file`` of the submission as a header."""
        known = next((name for name, other in self.own.items() if other == file), None)
        if known is not None:
            return known
        name = _OWN + re.sub(r"[^A-Za-z0-9_./]", "_", file)
        while name in self.own:
            name += "_"
        self.own[name] = file
        return name

    def add(self, name: str) -> bool:
        """Add a header that is no file of the submission, with all that it includes. Returns whether it exists."""
        if name in self.stubs:
            return True
        content = stub_header(name)
        if content is None:
            return self._add_from_toolkit(name)
        self.stubs[name] = content
        for include in _includes(name, tuple(tokenize(content))):
            self.add(include.name)
        return True

    def _add_from_toolkit(self, name: str) -> bool:
        if toolkit_header(name) is None:
            return False
        self.needs_toolkit = True
        self.stubs |= TOOLKIT_OVERRIDES
        return True


@dataclass(frozen=True, slots=True)
class _Include:
    name: str
    file: str
    token: Token
    quoted: bool

    @property
    def parts(self) -> list[str]:
        return self.name.replace("\\", "/").split("/")

    @property
    def leaves(self) -> bool:
        """Whether the name is a path that may lead out of the folder in which it is looked for."""
        return self.parts[0] == "" or ".." in self.parts or ":" in self.name

    @property
    def location(self) -> SourceLocation:
        return _location(self.file, self.token)


def resolve(unit: str, tokens: Mapping[str, tuple[Token, ...]]) -> Resolved:
    """Resolve every header that ``unit`` includes, directly or not. ``tokens`` are those of the submission, by file.

    Raises: ``BuildFailed`` for a computed target or a test whether a file exists.
    """
    resolved = Resolved()
    resolved.add(PRELUDE)
    waiting = [unit]
    while waiting:
        file = waiting.pop()
        resolved.texts[file] = {
            include.token.start: _compiled_line(include, tokens, resolved)
            for include in _includes(file, tokens[file])
        }
        waiting += [own for own in resolved.own.values() if own not in {*resolved.texts, *waiting}]
    pasted = find_pasted(
        PROBES, {name: tokens[name] for name in resolved.texts}, toolkit=resolved.needs_toolkit
    )
    if pasted is not None:
        raise BuildFailed(reason("include-test", location=pasted.location))
    return resolved


def _includes(file: str, tokens: tuple[Token, ...]) -> Iterator[_Include]:
    for token in tokens:
        if token.kind is not Kind.DIRECTIVE:
            continue
        name, rest = directive(token)
        if _PROBED.search(rest):
            raise BuildFailed(reason("include-test", location=_location(file, token)))
        if name in _INCLUDES:
            yield _target(file, token, name, rest)


def _target(file: str, token: Token, name: str, rest: str) -> _Include:
    match = _TARGET.fullmatch(rest)
    target = "" if match is None else match.group("quoted") or match.group("angled") or ""
    if match is None or name != "include" or not target.strip():
        raise BuildFailed(reason("include-computed", location=_location(file, token)))
    return _Include(target, file, token, match.group("angled") is None)


def _location(file: str, token: Token) -> SourceLocation:
    return SourceLocation(file=file, line=token.line)


def _compiled_line(include: _Include, files: Collection[str], resolved: Resolved) -> str:
    """The line that the compiler gets for ``include``: empty, with a warning, if there is no such header.

    A path that leads nowhere counts as its file's name alone: a submission often lacks the folders of its repository.
    """
    own = _own_path(include, files)
    if own is not None:
        return _own_line(own, resolved)
    if not include.leaves and resolved.add(include.name):
        return _foreign_line(include.name, include, resolved)
    alone = include.parts[-1]
    own = _only_file_called(alone, files)
    if own is not None:
        said = reason("header-found-elsewhere", header=clean(include.name, MAX_QUOTED), file=own)
        resolved.diagnostics.append(_diagnostic(Severity.NOTE, said, include))
        return _own_line(own, resolved)
    if resolved.add(alone):
        return _foreign_line(alone, include, resolved)
    resolved.diagnostics += _absence(include)
    return ""


def _own_line(file: str, resolved: Resolved) -> str:
    return f'#include "{resolved.own_name(file)}"'


def _foreign_line(name: str, include: _Include, resolved: Resolved) -> str:
    if stub_header(name) is None:
        resolved.toolkit.setdefault(name, include.location)
    return f"#include <{name}>"


def _own_path(include: _Include, files: Collection[str]) -> str | None:
    """The file of the submission at the path of ``include``, seen from the including file or from the root."""
    path = "/".join(include.parts)
    beside = posixpath.join(posixpath.dirname(include.file), path)
    return next((name for name in map(posixpath.normpath, (beside, path)) if name in files), None)


def _only_file_called(name: str, files: Collection[str]) -> str | None:
    """The file of the submission with this name in any folder; ``None`` for several."""
    found = [file for file in files if posixpath.basename(file) == name]
    return found[0] if len(found) == 1 else None


def _absence(include: _Include) -> Iterator[Diagnostic]:
    """The warning about a header that is nowhere; none for one that serves host code only."""
    header, name = clean(include.name, MAX_QUOTED), include.parts[-1]
    if _CURAND.fullmatch(name):
        yield _diagnostic(Severity.WARNING, reason("curand-not-installed", header=header), include)
    elif name != _CURAND_ON_HOST:
        code = "header-missing" if include.quoted else "header-unavailable"
        yield _diagnostic(Severity.WARNING, reason(code, header=header), include)


def _diagnostic(severity: Severity, said: Reason, include: _Include) -> Diagnostic:
    return compiler_diagnostic(severity, said, include.file, include.token.line)
