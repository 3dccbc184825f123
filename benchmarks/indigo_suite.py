"""The codes of a generated Indigo suite, and graphs to run them on."""

import random
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

TYPES: dict[str, np.dtype[Any]] = {
    "int": np.dtype(np.int32),
    "long": np.dtype(np.uint64),
    "float": np.dtype(np.float32),
    "double": np.dtype(np.float64),
    "char": np.dtype(np.int8),
    "short": np.dtype(np.int16),
}
RACE_TAGS = {"atomicBug", "guardBug", "raceBug", "syncBug"}
BOUNDS_TAG = "boundsBug"
SMALL = 5
"""Vertices of the small graphs, on which a planted bug may not happen."""

Longs = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Graph:
    """A graph in compressed sparse rows: the neighbours of ``v`` are ``neighbours[index[v] : index[v + 1]]``."""

    name: str
    index: Longs
    neighbours: Longs

    @property
    def vertices(self) -> int:
        """Number of vertices."""
        return len(self.index) - 1


@dataclass(frozen=True, slots=True)
class Code:
    """One file of the suite: what its name says of it, and its kernel."""

    name: str
    tags: frozenset[str]
    dtype: str
    source: str

    @property
    def marked_lines(self) -> set[int]:
        """The lines behind the comments that mark planted races."""
        lines = self.source.splitlines()
        marks = [number for number, line in enumerate(lines, 1) if re.search(r"// \w*[bB]ug here", line)]
        return {number + 1 for number in marks}


def graph_of(name: str, vertices: int, edges: Iterable[tuple[int, int]]) -> Graph:
    """A graph of directed ``edges``, each once."""
    known = sorted(set(edges))
    counts = np.bincount([start for start, _ in known], minlength=vertices)
    index = np.concatenate([[0], np.cumsum(counts)]).astype(np.int32)
    return Graph(name, index, np.array([end for _, end in known], np.int32))


def graphs(seed: int = 1) -> list[Graph]:
    """Two graphs of five vertices and four larger ones."""
    draw = random.Random(seed)
    side, many = 27, 729
    torus = [
        (row * side + column, (row + down) % side * side + (column + right) % side)
        for row in range(side)
        for column in range(side)
        for down, right in ((0, 1), (1, 0), (0, -1), (-1, 0))
    ]
    uniform = [(draw.randrange(many), draw.randrange(many)) for _ in range(4 * many)]
    hubs = [(draw.randrange(many), int(many * draw.random() ** 4)) for _ in range(4 * many)]
    return [
        graph_of("ring of 5", SMALL, [(v, (v + 1) % SMALL) for v in range(SMALL)]),
        graph_of("star of 5", SMALL, [edge for v in range(1, SMALL) for edge in ((0, v), (v, 0))]),
        graph_of("torus", many, torus),
        graph_of("random", many, uniform),
        graph_of("hubs", many, [*hubs, *((end, start) for start, end in hubs)]),
        # Its first and last vertex have no neighbours, so that an unguarded index leaves the array at both ends.
        graph_of("acyclic", many, [(min(edge), max(edge)) for edge in uniform if 0 < min(edge) < max(edge)]),
    ]


def codes(folder: Path, types: Sequence[str]) -> list[Code]:
    """The CUDA codes below ``folder`` that have one of the data ``types``. Raises: ``SystemExit`` without any."""
    found = []
    for file in sorted(folder.rglob("*.cu")):
        tags = frozenset(file.stem.split("_"))
        dtype = next((name for name in TYPES if name in tags), "int")
        text = file.read_text(encoding="utf-8")
        if dtype in types and "test_kernel" in text:
            found.append(Code(file.stem, tags, dtype, device_part(text)))
    if not found:
        message = (
            f"{folder} has no codes of the suite: generate it first, with all data types in configure.txt"
        )
        raise SystemExit(message)
    return found


def device_part(text: str) -> str:
    """The device code of a file, with the line numbers kept."""
    text = text[: text.find("void serial_code")] if "void serial_code" in text else text
    text = re.sub(r'#include "indigo_\w+\.h"', "", text)
    return re.sub(r"__global__ void test_kernel", 'extern "C" __global__ void test_kernel', text)
