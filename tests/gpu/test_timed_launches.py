"""Every timed launch on a real GPU has new inputs and a checked output: tests of the engine's auxiliary kernels."""

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.engines.cuda.device import load_cupy
from grader.engines.cuda.timed_data import PristineInputs
from grader.engines.cuda.trusted import Draw, TrustedKernels
from grader.engines.timed_output_check import count_differing
from grader.model.element_types import DType
from grader.model.plan import Buffer, LaunchPlan, Role
from grader.model.run import LaunchJob
from tests.engines.little_kernels import little_kernels

pytestmark = [pytest.mark.gpu, pytest.mark.alone]

N = 100_003

FLOATS = np.array([0, -0.0, 1, 1.5, np.inf, -np.inf, np.nan, 1e30, -3, 1e-40])


@pytest.fixture(scope="module")
def kernels() -> TrustedKernels:
    return TrustedKernels(load_cupy())


def drawn(
    kernels: TrustedKernels, dtype: DType, original: NDArray[np.generic], seed: int
) -> NDArray[np.generic]:
    cupy = load_cupy()
    source, target = cupy.asarray(original), cupy.zeros_like(cupy.asarray(original))
    kernels.draw(source.data.ptr, target.data.ptr, dtype, original.size, Draw(seed))
    return np.asarray(target.get())


@pytest.mark.parametrize("dtype", list(DType))
def test_draws_contain_the_originals_elements(kernels: TrustedKernels, dtype: DType) -> None:
    original = np.arange(1, N + 1).astype(dtype.numpy)
    one, again, other = (drawn(kernels, dtype, original, seed) for seed in (5, 5, 2**127 + 7))
    assert np.array_equal(one, again)
    assert set(one.tolist()) | set(other.tolist()) <= set(original.tolist())
    assert np.count_nonzero(one == other) < N // 1000
    # With repetition, a share of 1 - 1/e of all elements is drawn at least once, here within about 0.002.
    assert len(set(one.tolist())) / N == pytest.approx(1 - np.exp(-1), abs=0.01)
    assert abs(one.astype(np.float64).mean() / (N / 2) - 1) < 0.02
    assert one.astype(np.float64).sum() != other.astype(np.float64).sum()


@pytest.mark.parametrize("dtype", list(DType))
@pytest.mark.parametrize("allowed", [0.0, 0.25])
def test_differences_are_counted_as_on_the_host(
    kernels: TrustedKernels, dtype: DType, allowed: float
) -> None:
    cupy = load_cupy()
    rng = np.random.default_rng(3)
    if np.issubdtype(dtype.numpy, np.floating):
        left = rng.choice(FLOATS, N).astype(dtype.numpy)
        right = np.where(rng.random(N) < 0.5, left, rng.choice(FLOATS, N)).astype(dtype.numpy)
        right[::7] = left[::7] + dtype.numpy.type(0.2)
    else:
        left = rng.integers(0, 2**31 - 1, N).astype(dtype.numpy)
        right = left + rng.integers(0, 2, N).astype(dtype.numpy)
    ours, theirs = cupy.asarray(left), cupy.asarray(right)
    found = kernels.count_differing(ours.data.ptr, theirs.data.ptr, dtype, N, allowed)
    assert found == count_differing(left.tobytes(), right.tobytes(), dtype, allowed)
    assert 0 < found < N


def test_fixed_inputs_stay_and_others_do_not(kernels: TrustedKernels) -> None:
    cupy = load_cupy()
    values = np.arange(N, dtype=np.float32)
    buffers = tuple(
        Buffer(name=name, dtype=DType.FLOAT32, shape=(N,), role=Role.INPUT, fixed=name == "table")
        for name in ("table", "x", "y")
    )
    plan = LaunchPlan(buffers=buffers, launches=())
    job = LaunchJob(
        module=little_kernels("sm_90"), plan=plan, inputs=dict.fromkeys(("table", "x", "y"), values.tobytes())
    )
    found = {}
    with PristineInputs(cupy, kernels, job) as originals:
        for buffer in buffers:
            target = cupy.zeros(N, np.float32)
            originals.write(job, buffer, target.data.ptr, Draw(11))
            found[buffer.name] = target.get()
        assert originals.are_unchanged()
    assert np.array_equal(found["table"], values)
    assert np.count_nonzero(found["x"] == found["y"]) < N // 1000
    assert np.count_nonzero(found["x"] == values) < N // 1000


def test_a_changed_original_is_noticed_on_the_device(kernels: TrustedKernels) -> None:
    cupy = load_cupy()
    plan = LaunchPlan(
        buffers=(Buffer(name="x", dtype=DType.INT32, shape=(N,), role=Role.INPUT),), launches=()
    )
    job = LaunchJob(module=little_kernels("sm_90"), plan=plan, inputs={"x": bytes(4 * N)})
    with PristineInputs(cupy, kernels, job) as originals:
        (copy,) = originals._copies.values()  # noqa: SLF001 - a hostile kernel could find it
        copy.array[-1] = 1
        assert not originals.are_unchanged()
