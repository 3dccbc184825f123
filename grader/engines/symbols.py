"""Variables of device and constant memory in compiled code, which a lab fills before a kernel runs."""

import re
from dataclasses import dataclass
from functools import lru_cache

_VARIABLE = re.compile(
    r"^\s*(?:\.(?:visible|weak|common)\s+)*\.(?:const|global)\s+(?:\.align\s+\d+\s+)?"
    r"\.[a-z]+(\d+)\s+([\w$]+)(?:\[(\d+)\])?",
    re.MULTILINE,
)
_BITS = 8


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable: its name in the PTX, and its bytes."""

    name: str
    nbytes: int


@lru_cache(maxsize=64)
def symbol_in(ptx: str, name: str) -> Symbol | None:
    """The variable that the source calls ``name``, possibly in a namespace or ``static``; ``None`` if no code reads it.

    A compiler replaces a ``const`` variable with its values, and an assembler may leave it out.
    """
    mangled = f"{len(name)}{name}"
    for bits, found, count in _VARIABLE.findall(ptx):
        same = found == name or (found.startswith("_Z") and mangled in found)
        if same and len(re.findall(rf"(?<![\w$]){re.escape(found)}(?![\w$])", ptx)) > 1:
            return Symbol(found, int(bits) // _BITS * int(count or 1))
    return None
