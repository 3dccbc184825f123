"""The CUDA engine's auxiliary kernels on the emulator: the values they draw and the differences they count."""

import functools
from collections.abc import Mapping

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.engines.cuda.trusted import SOURCE
from grader.engines.emulator.engine import EmulatorEngine
from grader.engines.timed_output_check import count_differing
from grader.model.devices import TESLA_T4
from grader.model.diagnostic import Severity
from grader.model.element_types import VECTORS, DType, Element, NumberKind
from grader.model.module import DeviceModule
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob, RunOptions
from tests.engines.nvrtc_module import compiled

LARGE, SMALL = (1 << 16) + 13, 1003
SECTOR = 32
DRAWN: dict[str, Element] = {
    "char": DType.UINT8,
    "short": DType.INT16,
    "int": DType.INT32,
    "i64": DType.INT64,
    "uint4": VECTORS["uint4"],
    "bytes": VECTORS["uchar3"],
}
COMPARED = {
    **{
        number.value: number
        for number in DType
        if number.kind is NumberKind.WHOLE and number is not DType.BOOL
    },
    "half16": DType.FLOAT16,
    "brain16": DType.BFLOAT16,
    "float": DType.FLOAT32,
    "double": DType.FLOAT64,
}


@functools.cache
def module() -> DeviceModule:
    """Compile all kernels that these tests call."""
    signatures = {
        f"draw_{name}": (
            f"const {element} source[n]",
            f"{element} target[n]",
            "uint64 count",
            *(["uint64 size"] if name == "bytes" else []),
            "uint64 key",
            "uint64 other",
            "uint64 most",
        )
        for name, element in DRAWN.items()
    } | {
        f"differing_{name}": (
            f"const {dtype} left[n]",
            f"const {dtype} right[n]",
            "uint64 count",
            "float64 allowed",
            "inout uint64 found[1]",
        )
        for name, dtype in COMPARED.items()
    }
    signatures["digest"] = (
        "const int32 words[n]",
        "uint64 count",
        "uint64 key",
        "uint64 other",
        "inout uint64 sums[2]",
    )
    return compiled(SOURCE, "trusted.cu", signatures)


def launched(kernel: str, buffers: Mapping[Buffer, NDArray[np.generic] | None], *numbers: float) -> bytes:
    """Return the last of ``buffers`` after a launch with them and ``numbers``, which precede or follow the buffers."""
    names = [buffer.name for buffer in buffers]
    shape = LaunchShape(grid=Dim3(x=3), block=Dim3(x=256))
    args: tuple[str | int | float, ...] = (*names, *numbers)
    if not kernel.startswith("draw"):
        args = (*names[:-1], *numbers, names[-1])
    plan = LaunchPlan(buffers=tuple(buffers), launches=(Launch(kernel=kernel, shape=shape, args=args),))
    inputs = {buffer.name: array.tobytes() for buffer, array in buffers.items() if array is not None}
    result = EmulatorEngine(TESLA_T4).run(LaunchJob(module=module(), plan=plan, inputs=inputs), RunOptions())
    assert result.fault is None, result.fault
    assert not [each for each in result.diagnostics if each.severity is Severity.ERROR]
    return result.outputs[names[-1]]


def buffer(name: str, dtype: Element, size: int, role: Role = Role.INPUT) -> Buffer:
    return Buffer(name=name, dtype=dtype, shape=(size,), role=role)


def drawn(
    name: str,
    original: NDArray[np.generic],
    seed: int,
    share: float = 1.0,
    before: NDArray[np.generic] | None = None,
) -> NDArray[np.generic]:
    """Return the output of ``draw_name`` for the input ``before``."""
    element, size = DRAWN[name], len(original)
    target = buffer("target", element, size, Role.OUTPUT if before is None else Role.INOUT)
    buffers = {buffer("source", element, size): original, target: before}
    sizes = (size, element.itemsize) if name == "bytes" else (size,)
    numbers = (*sizes, *divmod(seed, 2**64), min(int(share * 2**64), 2**64 - 1))
    return target.array(launched(f"draw_{name}", buffers, *numbers))


@pytest.mark.parametrize("name", list(DRAWN))
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_elements_of_every_size_are_drawn_whole(name: str, size: int) -> None:
    element = DRAWN[name]
    whole = buffer("source", element, size)
    original = whole.array(np.random.default_rng(5).bytes(whole.nbytes))
    one, again, other = (drawn(name, original, seed) for seed in (5, 5, 6))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)
    assert {each.tobytes() for each in one} <= {each.tobytes() for each in original}
    assert np.count_nonzero(one == original) < original.size // 10


@pytest.mark.parametrize("name", ["int", "i64"])
@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_each_seed_draws_other_elements_of_the_original(name: str, size: int) -> None:
    original = np.arange(1, size + 1).astype(DRAWN[name].numpy)
    one, again, *others = (drawn(name, original, seed) for seed in (5, 5, 6, 2**64 + 5))
    assert np.array_equal(one, again)
    assert set(one.tolist()) <= set(original.tolist())
    # With repetition, a share of 1 - 1/e of all elements is drawn at least once.
    assert len(set(one.tolist())) / size == pytest.approx(1 - np.exp(-1), abs=0.05)
    for other in others:
        assert np.count_nonzero(one == other) < size // 100
        assert one.astype(np.float64).sum() != other.astype(np.float64).sum()


@pytest.mark.parametrize("name", ["int", "i64"])
def test_each_sector_of_a_large_array_is_mixed_from_two(name: str) -> None:
    original = np.arange(LARGE).astype(DRAWN[name].numpy)
    width = SECTOR // original.itemsize
    whole = LARGE - LARGE % width
    assert whole < LARGE  # the remaining elements are drawn one by one, see above
    sectors = drawn(name, original, 3)[:whole].reshape(-1, width).astype(np.int64)
    assert np.all(sectors % width == np.arange(width))
    sources = sectors // width
    of_first = sources == sources[:, :1]
    others = np.where(of_first, -1, sources)
    second = others.max(axis=1, keepdims=True)
    assert np.all(of_first | (others == second))
    # One bit chooses between the two; all bits are equal with a probability of 2 in 2^width.
    assert np.mean(second < 0) == pytest.approx(2 / 2**width, abs=0.01)
    assert of_first[:, 1:].mean() == pytest.approx(0.5, abs=0.01)


@pytest.mark.parametrize("name", ["int", "i64"])
@pytest.mark.parametrize(("size", "share"), [(SMALL, 0.25), (LARGE, 0.25), (SMALL, 0.02), (LARGE, 0.02)])
def test_a_share_is_drawn_and_the_rest_stays(name: str, size: int, share: float) -> None:
    original = np.arange(1, size + 1).astype(DRAWN[name].numpy)
    before = np.zeros(size, DRAWN[name].numpy)
    found = drawn(name, original, 7, share, before)
    changed = np.flatnonzero(found)
    assert np.array_equal(found[changed], drawn(name, original, 7)[changed])
    assert changed.size / size == pytest.approx(share, rel=0.5)
    assert changed[0] < size * min(1.0, 0.1 / share)
    assert changed[-1] > size * max(0.0, 1 - 0.1 / share)
    assert not np.array_equal(np.flatnonzero(drawn(name, original, 8, share, before)), changed)


def test_elements_of_a_small_array_are_drawn_one_by_one() -> None:
    original = np.arange(SMALL).astype(np.int32)
    steps = np.diff(drawn("int", original, 3).astype(np.int64))
    assert np.count_nonzero(steps == 1) < SMALL // 100


@pytest.mark.parametrize("name", list(COMPARED))
@pytest.mark.parametrize("allowed", [0.0, 0.25, 1.0])
def test_differences_are_counted_as_on_the_host(name: str, allowed: float) -> None:
    dtype = COMPARED[name]
    is_whole = dtype.kind is NumberKind.WHOLE
    rng = np.random.default_rng(3)
    values = np.array(
        [0, 1, 2, 5, 2 ** (8 * dtype.itemsize - 2)]
        if is_whole
        else [0, -0.0, 1, np.inf, -np.inf, np.nan, 6e4]
    )
    left = rng.choice(values, SMALL).astype(dtype.numpy)
    right = np.where(rng.random(SMALL) < 0.5, left, rng.choice(values, SMALL)).astype(dtype.numpy)
    if not is_whole:
        right[::7] = left[::7] + dtype.numpy.type(0.2)
    buffers = {
        buffer("left", dtype, SMALL): left,
        buffer("right", dtype, SMALL): right,
        buffer("found", DType.UINT64, 1, Role.INOUT): np.zeros(1, np.uint64),
    }
    (found,) = np.frombuffer(launched(f"differing_{name}", buffers, SMALL, allowed), np.uint64)
    assert found == count_differing(left.tobytes(), right.tobytes(), dtype, allowed)
    assert 0 < found < SMALL


def digest(words: NDArray[np.int32], seed: int) -> bytes:
    """Return the output of ``digest`` for these inputs."""
    buffers: dict[Buffer, NDArray[np.generic] | None] = {
        buffer("words", DType.INT32, words.size): words,
        buffer("sums", DType.UINT64, 2, Role.INOUT): np.zeros(2, np.uint64),
    }
    return launched("digest", buffers, words.size, *divmod(seed, 2**64))


def test_digests_differ_for_one_bit_or_another_order() -> None:
    words = np.random.default_rng(3).integers(-(2**31), 2**31, SMALL).astype(np.int32)
    flipped, swapped, shifted = words.copy(), words.copy(), np.roll(words, 1)
    flipped[-1] ^= 1
    swapped[[3, 700]] = words[[700, 3]]
    zeros = np.zeros(SMALL, np.int32)
    found = [digest(each, 5) for each in (words, flipped, swapped, shifted, zeros, zeros[1:])]
    found += [digest(words, seed) for seed in (6, 2**64 + 5)]
    halves = [half for each in found for half in (each[:8], each[8:])]
    assert len(set(halves)) == len(halves)
    assert digest(words, 5) == found[0]
