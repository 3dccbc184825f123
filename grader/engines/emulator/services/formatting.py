"""Format ``printf`` output as CUDA does: C library conversions on a buffer of packed arguments.

Source: CUDA C++ Programming Guide, "Formatted Output". Every argument starts at the next multiple of its size.
"""

import math
import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

_CONVERSION = re.compile(
    rb"%(?P<flags>[-+ #0]*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d*))?"
    rb"(?P<size>hh|h|ll|l|j|z|t|L)?(?P<type>[diouxXcspeEfFgGaA%])"
)
MAX_ARGUMENTS = 32
"""Most arguments of one ``printf`` besides the format string, as on a GPU."""

MAX_WIDTH = 4096
"""Largest field width and precision; larger ones are reduced to it."""

_LONG = {b"l", b"ll", b"j", b"z", b"t"}
_BITS = {b"hh": 8, b"h": 16}

Strings = Callable[[int], bytes | None]
"""Returns the string at an address, or ``None``."""


@dataclass(slots=True)
class Arguments:
    """The packed arguments of one thread. ``read(offset, count)`` returns their bytes, ``None`` beyond the end."""

    read: Callable[[int, int], bytes | None]
    offset: int = 0
    taken: int = 0

    def integer(self, size: int) -> int:
        """The next argument as a signed integer of ``size`` bytes."""
        return int.from_bytes(self._next(size), "little", signed=True)

    def double(self) -> float:
        """The next argument as a double."""
        number: float = struct.unpack("<d", self._next(8))[0]
        return number

    def _next(self, size: int) -> bytes:
        start = -(-self.offset // size) * size
        self.offset = start + size
        self.taken += 1
        data = self.read(start, size) if self.taken <= MAX_ARGUMENTS else None
        return bytes(size) if data is None else data


@dataclass(frozen=True, slots=True)
class _Field:
    """One conversion with its numbers filled in. ``precision`` is ``None`` if none is given."""

    flags: bytes
    width: int
    precision: int | None
    size: bytes
    type: str

    def padded(self, sign: str, body: str, *, zeros: bool) -> bytes:
        """``sign`` and ``body`` in the field's width."""
        missing = self.width - len(sign) - len(body)
        if b"-" in self.flags:
            return (sign + body + " " * missing).encode("latin-1")
        if zeros and b"0" in self.flags:
            return (sign + "0" * missing + body).encode("latin-1")
        return (" " * missing + sign + body).encode("latin-1")

    def sign(self, *, negative: bool) -> str:
        """The sign of a signed number."""
        if negative:
            return "-"
        return "+" if b"+" in self.flags else " " if b" " in self.flags else ""


def formatted(template: bytes, arguments: Arguments, strings: Strings) -> bytes:
    """``template`` with its conversions replaced; other text is unchanged."""

    def convert(match: re.Match[bytes]) -> bytes:
        if match["type"] == b"%":
            return b"%"
        flags, width = match["flags"], _number(match["width"], arguments)
        precision = None if match["precision"] is None else _number(match["precision"], arguments)
        if width < 0:
            flags, width = flags + b"-", -width
        if precision is not None and precision < 0:
            precision = None
        kind = match["type"].decode()
        field = _Field(flags, width, precision, match["size"] or b"", kind)
        return _CONVERSIONS[kind](field, arguments, strings)

    return _CONVERSION.sub(convert, template)


def _number(text: bytes | None, arguments: Arguments) -> int:
    number = arguments.integer(4) if text == b"*" else int(text or b"0")
    return max(-MAX_WIDTH, min(MAX_WIDTH, number))


def _integer(field: _Field, arguments: Arguments, _strings: Strings) -> bytes:
    size = 8 if field.size in _LONG else 4
    bits = _BITS.get(field.size, 8 * size)
    number = arguments.integer(size) & ((1 << bits) - 1)
    signed = field.type in "di"
    if signed and number >> (bits - 1):
        number -= 1 << bits
    sign = field.sign(negative=number < 0) if signed else ""
    digits = format(abs(number), {"o": "o", "x": "x", "X": "X"}.get(field.type, "d"))
    if field.precision is not None:
        digits = "" if field.precision == 0 and number == 0 else digits.rjust(field.precision, "0")
    if b"#" in field.flags:
        if field.type == "o" and not digits.startswith("0"):
            digits = "0" + digits
        elif field.type in "xX" and number:
            sign = "0" + field.type
    return field.padded(sign, digits, zeros=field.precision is None)


def _float(field: _Field, arguments: Arguments, _strings: Strings) -> bytes:
    number = arguments.double()
    sign = field.sign(negative=math.copysign(1.0, number) < 0)
    upper = field.type.isupper()
    if not math.isfinite(number):
        body = "nan" if math.isnan(number) else "inf"
        return field.padded(sign, body.upper() if upper else body, zeros=False)
    if field.type in "aA":
        prefix, body = "0x", _hexadecimal(abs(number), field)
        if upper:
            prefix, body = "0X", body.upper()
        return field.padded(sign + prefix, body, zeros=True)
    precision = 6 if field.precision is None else field.precision
    alternate = "#" if b"#" in field.flags else ""
    return field.padded(sign, f"%{alternate}.{precision}{field.type}" % abs(number), zeros=True)


def _hexadecimal(number: float, field: _Field) -> str:
    """``1.8p+0``: the digits of ``%a`` behind its prefix, as glibc writes them."""
    bits = int.from_bytes(struct.pack("<d", number), "little")
    exponent, mantissa = bits >> 52, bits & ((1 << 52) - 1)
    lead = 1 if exponent else 0
    power = exponent - 1023 if exponent else (-1022 if mantissa else 0)
    digits = f"{mantissa:013x}".rstrip("0")
    if field.precision is not None and field.precision < 13:
        whole = (lead << 52) | mantissa
        shift = 4 * (13 - field.precision)
        kept, rest = whole >> shift, whole & ((1 << shift) - 1)
        kept += rest > 1 << (shift - 1) or (rest == 1 << (shift - 1) and kept & 1)
        lead, mantissa = kept >> (4 * field.precision), kept & ((1 << (4 * field.precision)) - 1)
        digits = f"{mantissa:0{field.precision}x}" if field.precision else ""
    elif field.precision is not None:
        digits = digits.ljust(field.precision, "0")
    point = "." if digits or b"#" in field.flags else ""
    return f"{lead}{point}{digits}p{power:+d}"


def _character(field: _Field, arguments: Arguments, _strings: Strings) -> bytes:
    return field.padded("", chr(arguments.integer(4) & 0xFF), zeros=False)


def _string(field: _Field, arguments: Arguments, strings: Strings) -> bytes:
    address = arguments.integer(8)
    text = b"(null)" if address == 0 else strings(address)
    if text is None:
        text = b"(no string)"
    if field.precision is not None:
        text = text[: field.precision]
    return field.padded("", text.decode("latin-1"), zeros=False)


def _pointer(field: _Field, arguments: Arguments, _strings: Strings) -> bytes:
    address = arguments.integer(8) & ((1 << 64) - 1)
    return field.padded("", f"{address:#x}" if address else "(nil)", zeros=False)


_CONVERSIONS: dict[str, Callable[[_Field, Arguments, Strings], bytes]] = {
    **dict.fromkeys("diouxX", _integer),
    **dict.fromkeys("eEfFgGaA", _float),
    "c": _character,
    "s": _string,
    "p": _pointer,
}
