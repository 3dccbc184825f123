"""The encoding of a text file that another program wrote, found from its bytes, and kept."""

import codecs
from collections.abc import Callable
from dataclasses import dataclass

from grader.errors import UserError

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte order marks; those of UTF-32 begin with those of UTF-16 and come first."""

LEGACY = (
    *("cp1252", "cp1251", "gb18030", "cp932", "euc_jp", "cp949", "big5", "cp1250", "cp1253", "cp1254"),
    *("cp1255", "cp1256", "cp1257", "koi8_r", "mac_roman", "latin_1"),
)
"""Encodings that spreadsheets still write, by country; only the words of a file can tell one from another."""


@dataclass(frozen=True, slots=True)
class Encoding:
    """A codec of Python, and the byte order mark in front of the text, if there is one."""

    codec: str
    mark: bytes = b""

    def decode(self, data: bytes) -> str | None:
        """The text in ``data``; ``None`` if the text would not give the same bytes again."""
        body = data[len(self.mark) :]
        try:
            text = body.decode(self.codec)
            same = text.encode(self.codec) == body
        except UnicodeError:
            return None
        return text if same else None

    def encode(self, text: str) -> bytes:
        """``text`` in this encoding, without the mark. Raises: ``UnicodeEncodeError``."""
        return text.encode(self.codec)


def decoded(
    data: bytes, plausible: Callable[[str], bool], *, codec: str | None = None, any_legacy: bool = False
) -> tuple[str, Encoding]:
    """The text in ``data``, and its encoding: that of its mark, UTF-16, UTF-8, or a legacy one.

    A legacy encoding counts if its text is ``plausible``, as when the headers are known words. With ``any_legacy`` any
    will do that gives the same bytes again. ``codec`` is what the user says it is.

    Raises: ``UserError`` if no encoding fits.
    """
    possible = [(text, each) for each in _candidates(data, codec) if (text := each.decode(data)) is not None]
    for text, encoding in possible:
        if codec is not None or encoding.mark or encoding.codec not in LEGACY or plausible(text):
            return text, encoding
    if any_legacy and possible:
        return possible[0]
    msg = "The encoding of the file is not known." if codec is None else f"The file is not in {codec}."
    raise UserError(msg, hint="Name it with --encoding, such as cp1251, or save the file as UTF-8.")


def _candidates(data: bytes, codec: str | None) -> list[Encoding]:
    mark, marked = next(((mark, name) for mark, name in _MARKS if data.startswith(mark)), (b"", ""))
    if codec is not None:
        try:
            name = codecs.lookup(codec).name
        except LookupError as error:
            msg = f"{codec!r} is no encoding that Python knows."
            raise UserError(msg, hint="Name one such as utf-8, utf-16-le, cp1251 or gb18030.") from error
        return (
            [Encoding(marked, mark)]
            if marked and name in {marked, "utf-16", "utf-8-sig"}
            else [Encoding(name)]
        )
    if marked:
        return [Encoding(marked, mark)]
    wide = [Encoding(name) for name in ("utf-16-le", "utf-16-be") if _is_wide(data, name)]
    return [*wide, Encoding("utf-8"), *map(Encoding, LEGACY)]


def _is_wide(data: bytes, codec: str) -> bool:
    """Whether ``data`` is UTF-16 without a mark: its ASCII characters have a zero byte on one side, and only there."""
    high, low = (data[1::2], data[0::2]) if codec == "utf-16-le" else (data[0::2], data[1::2])
    return len(data) % 2 == 0 and 0 in high and 0 not in low
