"""Names of entries in zip files: their encoding, and whether they stay inside the archive.

A zip without flag bit 11 has names in the code page of the machine that wrote it. The specification says 437; Windows
writes its own (866 in Russian, 936 in Chinese), macOS and PHP write UTF-8 without the flag.
"""

import re
import struct
import unicodedata
import zlib
from collections.abc import Callable, Collection, Iterator
from itertools import groupby

_UTF8_FLAG = 0x800
_UNICODE_PATH = 0x7075
"""The extra field with a name in UTF-8 beside one in a code page (APPNOTE 4.6.9)."""

_DRIVE = re.compile(r"[A-Za-z]:")


def raw_name(name: str, flags: int) -> bytes:
    """The bytes of an entry's name that ``zipfile`` decoded."""
    return name.encode("utf-8" if flags & _UTF8_FLAG else "cp437", "surrogateescape")


def unicode_name(raw: bytes, extra: bytes) -> str | None:
    """The name in the field for Unicode names, if it belongs to ``raw``."""
    for kind, data in _fields(extra):
        if kind == _UNICODE_PATH and data[:1] == b"\x01" and data[1:5] == struct.pack("<I", zlib.crc32(raw)):
            try:
                return data[5:].decode()
            except UnicodeDecodeError:
                return None
    return None


def encoding_of(names: Collection[bytes]) -> str:
    """The encoding of ``names``, which have no flag: one for all of them, because one program wrote them.

    UTF-8 if all of them are; else the code page in which the most words are words of one script; else 437.
    """
    if all(map(_is_utf8, names)):
        return "utf-8"
    scores = {encoding: sum(_words(name, encoding) for name in names) for encoding in ("gbk", "cp866")}
    best = max(scores, key=lambda encoding: scores[encoding])
    return best if scores[best] > 0 else "cp437"


def inner_path(name: str) -> str | None:
    """``name`` as a relative POSIX path; ``None`` if it is absolute, names a drive or leads upwards."""
    slashed = name.partition("\0")[0].replace("\\", "/")
    parts = [part for part in slashed.split("/") if part not in {"", "."}]
    if slashed.startswith("/") or ".." in parts or not parts or _DRIVE.match(parts[0]):
        return None
    return unicodedata.normalize("NFC", "/".join(parts))


def _fields(extra: bytes) -> Iterator[tuple[int, bytes]]:
    at = 0
    while at + 4 <= len(extra):
        kind, size = struct.unpack_from("<HH", extra, at)
        yield kind, extra[at + 4 : at + 4 + size]
        at += 4 + size


def _is_utf8(name: bytes) -> bool:
    try:
        name.decode()
    except UnicodeDecodeError:
        return False
    return True


def _words(name: bytes, encoding: str) -> int:
    """How many words of ``name`` are plausible, less those that are not."""
    try:
        text = name.decode(encoding)
    except UnicodeDecodeError:
        return -len(name)
    words = ("".join(run) for is_word, run in groupby(text, str.isalpha) if is_word)
    is_common = _COMMON[encoding]
    score = 0
    for word in words:
        if word.isascii():
            continue
        score += 1 if all(map(is_common, word)) else -1
    # Frames and mathematical signs stand in no name.
    return score - sum(unicodedata.category(char)[0] == "S" for char in text if not char.isascii())


def _is_cyrillic(char: str) -> bool:
    return unicodedata.name(char, "").startswith("CYRILLIC")


def _is_common_ideograph(char: str) -> bool:
    """Whether GB 2312 has the ideograph. It suffices for names; GBK has many rare ones besides."""
    try:
        return len(char.encode("gb2312")) > 1
    except UnicodeEncodeError:
        return False


_COMMON: dict[str, Callable[[str], bool]] = {"gbk": _is_common_ideograph, "cp866": _is_cyrillic}
