"""Recorded results of a GPU: one compressed file with a line of JSON and then every form's results, byte by byte.

Results are little-endian, as wide as the form's result, in the order of the forms in that line. The first bytes
of all results come first, then the second bytes, which halves the size of the file.
"""

import json
import lzma
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.engines.emulator.golden.form import LANES, Form

HARDWARE = Path(__file__).with_name("hardware.xz")
"""The recording that the emulator is compared with."""


@dataclass(frozen=True, slots=True)
class Recording:
    """Results by form digest, and their origin."""

    provenance: Mapping[str, object]
    results: Mapping[str, bytes]

    def of(self, form: Form) -> NDArray[np.uint64]:
        """One word per lane. Raises: ``KeyError`` if exactly this form was not recorded."""
        planes = np.frombuffer(self.results[form.digest], np.uint8).reshape(form.out_bytes, LANES)
        words = np.zeros((LANES, 8), np.uint8)
        words[:, : form.out_bytes] = planes.T
        return words.view("<u8").reshape(LANES).astype(np.uint64)


def planes_of(form: Form, words: NDArray[np.uint64]) -> bytes:
    """A form's results in the stored format."""
    return np.ascontiguousarray(
        words.astype("<u8").view(np.uint8).reshape(LANES, 8).T[: form.out_bytes]
    ).tobytes()


def write(path: Path, recording: Recording) -> None:
    """Write ``recording`` to ``path``."""
    sizes = {digest: len(result) for digest, result in recording.results.items()}
    head = json.dumps({"provenance": dict(recording.provenance), "sizes": sizes}).encode()
    body = head + b"\n" + b"".join(recording.results.values())
    path.write_bytes(lzma.compress(body, preset=9 | lzma.PRESET_EXTREME))


def read(path: Path) -> Recording:
    """Read the recording in ``path``."""
    head, _, body = lzma.decompress(path.read_bytes()).partition(b"\n")
    described = json.loads(head)
    results, start = {}, 0
    for digest, size in described["sizes"].items():
        results[digest] = body[start : start + size]
        start += size
    return Recording(described["provenance"], results)
