"""Transfers between the host and a fake device."""

import numpy as np
import pytest

from grader.engines.cuda import transfer
from tests.engines.cuda.fake_cupy import HostRuntime, fake_cupy

DATA = np.random.default_rng(5).bytes(1000)


@pytest.mark.parametrize("size", [0, 1, 64, 65, 1000])
def test_what_was_written_is_read(size: int) -> None:
    runtime = HostRuntime()
    cupy, address = fake_cupy(runtime), runtime.malloc(1000)
    transfer.write(cupy, address, DATA[:size])
    assert transfer.read(cupy, address, size) == DATA[:size]
