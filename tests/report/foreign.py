"""Words of English in a report in another language."""

import re
from collections.abc import Iterable

_WORD = re.compile(r"[A-Za-z][A-Za-z_]{2,}")

_SAME_EVERYWHERE = frozenset(
    {
        *(
            "GPU",
            "CUDA",
            "Numba",
            "numba",
            "cuda",
            "FLOP",
            "GFLOP",
            "TFLOP",
            "KiB",
            "MiB",
            "GiB",
            "roofline",
            "Roofline",
        ),
        *(
            "Tesla",
            "modelled",
            "nvcc",
            "process",
            "UTC",
            "Grader",
            "grader",
            "commit",
            "launch",
            "block",
            "grid",
        ),
        *("const", "void", "float", "int", "threadIdx", "blockIdx", "column", "row", "warp", "for", "class"),
    }
)
"""Names of tools and units, parts of a modelled device's name, and words of C that a hint quotes."""


def english_words(text: str, names: Iterable[str]) -> list[str]:
    """The words of ``text`` in Latin letters, apart from those in ``names``."""
    known = {word for name in names for word in _WORD.findall(name)} | _SAME_EVERYWHERE
    return [word for word in _WORD.findall(text) if word not in known]
