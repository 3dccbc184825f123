"""Transfers between the host and a fake device."""

import numpy as np
import pytest

from grader.engines.cuda import transfer
from tests.engines.cuda.fake_cupy import HostRuntime, fake_cupy

DATA = np.random.default_rng(5).bytes(1000)


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transfer, "_PIECE", 64)


@pytest.mark.parametrize("size", [0, 1, 64, 65, 1000])
def test_what_was_written_is_read_and_held(size: int) -> None:
    runtime = HostRuntime()
    cupy, address = fake_cupy(runtime), runtime.malloc(1000)
    transfer.write(cupy, address, DATA[:size])
    assert transfer.read(cupy, address, size) == DATA[:size]
    assert transfer.holds(cupy, address, DATA[:size])


@pytest.mark.parametrize("index", [0, 63, 64, 500, 999])
def test_a_changed_byte_is_noticed_at_any_index(index: int) -> None:
    runtime = HostRuntime()
    cupy, address = fake_cupy(runtime), runtime.malloc(1000)
    transfer.write(cupy, address, DATA)
    transfer.write(cupy, address + index, bytes([DATA[index] ^ 1]))
    assert not transfer.holds(cupy, address, DATA)
