"""Decode source files: encodings, line ends, and the check that a file is text."""

import codecs
import io
import tokenize
from dataclasses import dataclass

from grader.compile.failure import BuildFailed
from grader.compile.messages import compiler_diagnostic
from grader.model.diagnostic import Diagnostic, Severity
from grader.model.reason import Reason, reason
from grader.model.submission import SourceFile

MAX_SOURCE_BYTES = 1 << 20
"""Size in bytes of the largest source file that is built; hand-written kernels are a thousand times smaller."""

_MAX_CONTROL_SHARE = 0.02
_TEXT_CONTROLS = frozenset(b"\t\n\v\f\r\x1a")
_UTF16_BOMS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """One decoded file: its display name, its text with line feeds as line ends, and the text's encoding.

    ``header``: in Python, the text is the body of the function at the end of this code.
    """

    name: str
    text: str
    encoding: str
    header: str = ""

    @property
    def data(self) -> bytes:
        """The text for a compiler: in its own encoding, without a byte order mark."""
        return self.text.encode(self.encoding)


def display_name(name: str) -> str:
    """``name`` with characters that would break a PTX string or a terminal replaced by ``_``."""
    return "".join("_" if char in '"\\' or not char.isprintable() else char for char in name)


def read_source(file: SourceFile) -> tuple[Source, tuple[Diagnostic, ...]]:
    """Decode ``file``; a note is added if its encoding had to be guessed.

    Raises: ``BuildFailed`` for an empty, oversized or binary file.
    """
    name = display_name(file.name)
    if len(file.data) > MAX_SOURCE_BYTES:
        raise BuildFailed(reason("source-too-large", file=name, size=len(file.data), limit=MAX_SOURCE_BYTES))
    if not file.data.strip():
        raise BuildFailed(reason("source-empty", file=name))
    text, encoding = _decode(file.data, name)
    text = text.replace("\r\n", "\n").replace("\r", "\n").rstrip("\x1a")
    if not text.strip():
        raise BuildFailed(reason("source-empty", file=name))
    source = Source(name=name, text=text, encoding=encoding)
    if encoding == "utf-8":
        return source, ()
    said = reason("source-not-utf8", encoding=encoding)
    note = compiler_diagnostic(Severity.NOTE, said, name, _first_undecodable_line(file.data))
    return source, (note,)


def _decode(data: bytes, name: str) -> tuple[str, str]:
    if data.startswith(_UTF16_BOMS):
        try:
            return data.decode("utf-16"), "utf-8"
        except UnicodeDecodeError as error:
            raise BuildFailed(_not_text(name)) from error
    if _is_binary(data):
        raise BuildFailed(_not_text(name))
    try:
        return data.removeprefix(codecs.BOM_UTF8).decode("utf-8"), "utf-8"
    except UnicodeDecodeError:
        pass
    declared = _declared_encoding(data)
    if declared is not None:
        try:
            return data.decode(declared), declared
        except UnicodeDecodeError:
            pass
    return data.decode("latin-1"), "latin-1"


def _not_text(name: str) -> Reason:
    return reason("source-binary", file=name)


def _is_binary(data: bytes) -> bool:
    controls = sum(byte < ord(" ") and byte not in _TEXT_CONTROLS for byte in data)
    return b"\0" in data or controls > _MAX_CONTROL_SHARE * len(data)


def _declared_encoding(data: bytes) -> str | None:
    """The encoding in a ``coding:`` line, if it is a text encoding other than UTF-8."""
    try:
        declared, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        "".encode(declared)
    except (SyntaxError, LookupError):
        return None
    return None if declared in {"utf-8", "utf-8-sig"} else declared


def _first_undecodable_line(data: bytes) -> int | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return data.count(b"\n", 0, error.start) + 1
    return None
