"""What every engine must do: the conformance suite of the engine port.

Subclass ``EngineContract``, give it an ``engine`` fixture and say whether its times are modelled.
"""

import dataclasses
import re
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from grader.engines.port import Engine
from grader.errors import InfrastructureError
from grader.model.diagnostic import Severity
from grader.model.element_types import DType
from grader.model.plan import POISON_BYTE, Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob, OutputCheck, RunOptions, RunResult
from grader.model.verdict import Verdict
from tests.engines.little_kernels import little_kernels
from tools.messages import english, params

Array = NDArray[Any]

OPTIONS = RunOptions()

SHORT = RunOptions(max_steps=200_000, timeout=2.0)
"""Timeout for kernels that never end."""

N = 1000
"""Elements of most vectors; not a multiple of the block."""

BLOCK = 128


def vector(name: str, role: Role, size: int = N, dtype: DType = DType.FLOAT32) -> Buffer:
    """A one-dimensional buffer."""
    return Buffer(name=name, dtype=dtype, shape=(size,), role=role)


def launch(kernel: str, *args: str | float, threads: int = N, block: int = BLOCK, shared: int = 0) -> Launch:
    """One launch with a thread per element, at least one block."""
    grid = Dim3(x=max(1, -(-threads // block)))
    return Launch(
        kernel=kernel, shape=LaunchShape(grid=grid, block=Dim3(x=block), shared_bytes=shared), args=args
    )


def launch_job(
    buffers: tuple[Buffer, ...], launches: tuple[Launch, ...], inputs: Mapping[str, Array], arch: str
) -> LaunchJob:
    """LaunchJob on the little kernels, with a cubin for ``arch``."""
    plan = LaunchPlan(buffers=buffers, launches=launches)
    return LaunchJob(
        module=little_kernels(arch),
        plan=plan,
        inputs={name: array.tobytes() for name, array in inputs.items()},
    )


def numbers(size: int = N, seed: int = 1) -> Array:
    """Return float32 values without a regular pattern."""
    return np.random.default_rng(seed).standard_normal(size).astype(np.float32)


class EngineContract:
    """Tests of the port. ``modelled``: whether ``compare`` models its times instead of measuring them."""

    modelled: bool

    def run_disposably(self, engine: Engine, lethal: LaunchJob, options: RunOptions) -> RunResult:
        """Run a job that may destroy the engine. Engines that survive such a job need not override this."""
        return engine.run(lethal, options)

    def test_it_says_what_it_is(self, engine: Engine) -> None:
        assert re.fullmatch(r"sm_\d+", engine.device.arch)
        assert engine.device.sm_count > 0

    def test_adds_vectors_of_a_length_that_no_block_divides(self, engine: Engine) -> None:
        a, b = numbers(seed=1), numbers(seed=2)
        result = engine.run(_addition(engine, a, b), OPTIONS)
        assert result.fault is None
        assert result.changed_inputs == ()
        assert np.array_equal(_array(result, "c"), a + b)

    def test_passes_scalars_of_every_type_by_value(self, engine: Engine) -> None:
        given = (-7, 2**32 - 1, -(2**53), 2**63, 0.5, 1e300)
        result = engine.run(
            launch_job(
                (vector("out", Role.OUTPUT, 6, DType.FLOAT64),),
                (launch("combine", *given, "out", threads=1, block=1),),
                {},
                engine.device.arch,
            ),
            OPTIONS,
        )
        assert _array(result, "out", np.float64).tolist() == [float(value) for value in given]

    def test_passes_arrays_to_numba_kernels_as_records(self, engine: Engine) -> None:
        buffers = (vector("out", Role.OUTPUT, 9, DType.FLOAT64),)
        result = engine.run(
            launch_job(buffers, (launch("record", "out", threads=1, block=1),), {}, engine.device.arch),
            OPTIONS,
        )
        assert _array(result, "out", np.float64)[:4].tolist() == [9, 8, 9, 8]

    def test_numbers_blocks_and_threads_in_three_dimensions(self, engine: Engine) -> None:
        shape = LaunchShape(grid=Dim3(x=3, y=2, z=2), block=Dim3(x=5, y=3, z=2))
        size = shape.grid.size * shape.block.size
        only = Launch(kernel="coordinates", shape=shape, args=("out",))
        buffers = (vector("out", Role.OUTPUT, size, DType.INT32),)
        result = engine.run(launch_job(buffers, (only,), {}, engine.device.arch), OPTIONS)
        assert np.array_equal(_array(result, "out", np.int32), np.arange(size))

    def test_gives_a_block_the_dynamic_shared_memory_it_asks_for(self, engine: Engine) -> None:
        a = np.arange(256, dtype=np.int32)
        result = engine.run(_reversal(engine, a, shared=a.nbytes), OPTIONS)
        assert result.fault is None
        assert np.array_equal(_array(result, "b", np.int32), a[::-1])

    def test_gives_a_block_all_the_shared_memory_the_device_has(self, engine: Engine) -> None:
        a = np.arange(256, dtype=np.int32)
        result = engine.run(_reversal(engine, a, shared=engine.device.shared_bytes_per_block), OPTIONS)
        assert result.fault is None
        assert np.array_equal(_array(result, "b", np.int32), a[::-1])

    def test_carries_out_launches_in_order_on_the_same_buffers(self, engine: Engine) -> None:
        a, x = numbers(seed=1), numbers(seed=2)
        once = launch("increment", "x", N)
        result = engine.run(
            launch_job(
                (vector("a", Role.INPUT), vector("x", Role.INOUT), vector("c", Role.OUTPUT)),
                (once, once, once, launch("add", "a", "x", "c", N)),
                {"a": a, "x": x},
                engine.device.arch,
            ),
            OPTIONS,
        )
        risen = x + np.float32(1) + np.float32(1) + np.float32(1)
        assert np.array_equal(_array(result, "x"), risen)
        assert np.array_equal(_array(result, "c"), a + risen)

    def test_what_a_kernel_does_not_write_stays_poisoned(self, engine: Engine) -> None:
        result = engine.run(_on_c(engine, "first_half"), OPTIONS)
        assert result.outputs["c"][: 4 * (N // 2)] == bytes(4 * (N // 2))
        assert set(result.outputs["c"][4 * (N // 2) :]) == {POISON_BYTE}

    def test_what_stays_poisoned_of_integers_is_not_minus_one(self, engine: Engine) -> None:
        shape = LaunchShape(grid=Dim3(x=1), block=Dim3(x=5))
        only = Launch(kernel="coordinates", shape=shape, args=("out",))
        buffers = (vector("out", Role.OUTPUT, 8, DType.INT32),)
        result = engine.run(launch_job(buffers, (only,), {}, engine.device.arch), OPTIONS)
        assert _array(result, "out", np.int32).tolist() == [0, 1, 2, 3, 4, *[-0x5A5A5A5B] * 3]

    def test_returns_what_was_written_and_nothing_else(self, engine: Engine) -> None:
        a, b = numbers(seed=1), numbers(seed=2)
        buffers = (
            vector("a", Role.INPUT),
            vector("b", Role.INOUT),
            vector("s", Role.SCRATCH),
            vector("c", Role.OUTPUT),
        )
        launches = (launch("add", "a", "b", "s", N), launch("add", "a", "s", "c", N))
        result = engine.run(launch_job(buffers, launches, {"a": a, "b": b}, engine.device.arch), OPTIONS)
        assert set(result.outputs) == {"b", "c"}
        assert np.array_equal(_array(result, "c"), a + (a + b))

    def test_names_the_inputs_that_a_kernel_writes_to(self, engine: Engine) -> None:
        a = numbers()
        result = engine.run(
            launch_job(
                (vector("a", Role.INPUT), vector("c", Role.OUTPUT)),
                (launch("spoil", "a", "c", N),),
                {"a": a},
                engine.device.arch,
            ),
            OPTIONS,
        )
        assert result.fault is None
        assert result.changed_inputs == ("a",)
        assert np.array_equal(_array(result, "c"), a)

    def test_a_vector_of_no_elements_is_a_vector(self, engine: Engine) -> None:
        buffers = (
            vector("a", Role.INPUT, 0),
            vector("b", Role.INPUT, 0),
            vector("c", Role.OUTPUT, 0),
        )
        nothing = np.empty(0, np.float32)
        only = launch("add", "a", "b", "c", 0, threads=0)
        result = engine.run(
            launch_job(buffers, (only,), {"a": nothing, "b": nothing}, engine.device.arch), OPTIONS
        )
        assert (result.fault, result.outputs) == (None, {"c": b""})

    def test_gives_the_same_answer_twice(self, engine: Engine) -> None:
        same = _addition(engine, numbers(seed=1), numbers(seed=2))
        assert engine.run(same, OPTIONS).outputs == engine.run(same, OPTIONS).outputs

    def test_device_variables_live_as_long_as_a_plan_and_no_longer(self, engine: Engine) -> None:
        once = launch("count", "out", threads=1, block=1)
        buffers = (vector("out", Role.OUTPUT, 1, DType.INT32),)
        twice = launch_job(buffers, (once, once), {}, engine.device.arch)
        seen = [_array(engine.run(twice, OPTIONS), "out", np.int32).tolist() for _ in range(2)]
        assert seen == [[2], [2]]

    @pytest.mark.parametrize("kernel", ["past_the_end", "before_the_start"])
    def test_a_write_out_of_bounds_is_a_crash(self, engine: Engine, kernel: str) -> None:
        result = engine.run(_on_c(engine, kernel, threads=1, block=1), OPTIONS)
        _assert_crashed(result)

    @pytest.mark.parametrize("kernel", ["null_write", "misaligned", "trap"])
    def test_a_kernel_that_faults_is_a_crash(self, engine: Engine, kernel: str) -> None:
        result = self.run_disposably(engine, _on_c(engine, kernel, n=1, threads=1, block=1), OPTIONS)
        _assert_crashed(result)

    def test_a_kernel_that_never_ends_is_timed_out(self, engine: Engine) -> None:
        result = self.run_disposably(engine, _on_c(engine, "endless", n=1, threads=1, block=1), SHORT)
        assert result.fault is not None
        assert result.fault.verdict is Verdict.TIMED_OUT
        assert result.outputs == {}

    @pytest.mark.parametrize(
        ("grid", "block", "shared"),
        [
            (Dim3(x=0), Dim3(x=32), 0),
            (Dim3(), Dim3(x=0), 0),
            (Dim3(), Dim3(x=2048), 0),
            (Dim3(), Dim3(x=1, z=128), 0),
            (Dim3(y=70_000), Dim3(x=1), 0),
            (Dim3(), Dim3(x=32), 2**20),
        ],
        ids=["empty grid", "empty block", "large block", "deep block", "large grid", "shared memory"],
    )
    def test_a_launch_beyond_the_devices_limits_is_a_crash(
        self, engine: Engine, grid: Dim3, block: Dim3, shared: int
    ) -> None:
        shape = LaunchShape(grid=grid, block=block, shared_bytes=shared)
        only = Launch(kernel="first_half", shape=shape, args=("c", N))
        result = engine.run(launch_job((vector("c", Role.OUTPUT),), (only,), {}, engine.device.arch), OPTIONS)
        _assert_crashed(result)
        assert result.fault is not None
        assert result.fault.reason.code in {"invalid-launch", "fault-at", "gpu-refused-launch"}

    def test_an_engine_goes_on_after_a_fault_it_survived(self, engine: Engine) -> None:
        engine.run(_on_c(engine, "past_the_end", threads=1, block=1), OPTIONS)
        a, b = numbers(seed=1), numbers(seed=2)
        assert np.array_equal(_array(engine.run(_addition(engine, a, b), OPTIONS), "c"), a + b)

    def test_a_kernel_that_the_module_lacks_is_the_callers_mistake(self, engine: Engine) -> None:
        with pytest.raises(KeyError):
            engine.run(_on_c(engine, "nobody"), OPTIONS)

    def test_compares_a_kernel_with_itself(self, engine: Engine) -> None:
        same = _addition(engine, numbers(seed=1), numbers(seed=2))
        comparison = engine.compare(same, same, OPTIONS)
        assert comparison.fault is None
        assert comparison.modelled is self.modelled
        assert comparison.pairs
        assert all(pair.baseline > 0 and pair.submission > 0 for pair in comparison.pairs)
        ratios = sorted(pair.baseline / pair.submission for pair in comparison.pairs)
        assert 0.5 < ratios[len(ratios) // 2] < 2

    def test_ten_times_the_work_takes_longer(self, engine: Engine) -> None:
        x = numbers()
        once = launch("increment", "x", N)
        one, ten = (
            launch_job((vector("x", Role.INOUT),), (once,) * count, {"x": x}, engine.device.arch)
            for count in (1, 10)
        )
        comparison = engine.compare(one, ten, OPTIONS)
        assert sum(pair.submission > pair.baseline for pair in comparison.pairs) > len(comparison.pairs) / 2

    def test_a_submission_that_faults_is_not_timed(self, engine: Engine) -> None:
        good = _on_c(engine, "first_half")
        bad = _on_c(engine, "past_the_end", threads=1, block=1)
        comparison = engine.compare(good, bad, OPTIONS)
        assert comparison.fault is not None
        assert comparison.fault.verdict is Verdict.CRASHED
        assert comparison.pairs == ()

    def test_a_refused_baseline_is_no_fault_of_the_submission(self, engine: Engine) -> None:
        refused = _on_c(engine, "first_half", threads=2048, block=2048)
        with pytest.raises(InfrastructureError, match="the baseline does not run"):
            engine.compare(refused, _on_c(engine, "first_half"), OPTIONS)

    def test_timed_output_is_compared_with_the_baselines(self, engine: Engine) -> None:
        good = _addition(engine, numbers(seed=1), numbers(seed=2))
        lazy = launch_job(
            (vector("c", Role.OUTPUT),), (launch("first_half", "c", N, threads=N),), {}, engine.device.arch
        )
        check = OutputCheck(submission="c", baseline="c", allowed=1e-6)
        assert engine.compare(good, good, OPTIONS, [check]).fault is None
        comparison = engine.compare(good, lazy, OPTIONS, [check])
        assert comparison.pairs == ()
        assert comparison.fault is not None
        assert comparison.fault.verdict is Verdict.WRONG
        said = params(comparison.fault.reason, "wrong-while-timed")
        assert (said["size"], said["buffer"]) == (N, "c")

    def test_work_is_not_changed_by_running_it(self, engine: Engine) -> None:
        given = _addition(engine, numbers(seed=1), numbers(seed=2))
        before = dataclasses.replace(given, inputs=dict(given.inputs))
        engine.run(given, OPTIONS)
        assert given == before


def _addition(engine: Engine, a: Array, b: Array) -> LaunchJob:
    return launch_job(
        (vector("a", Role.INPUT), vector("b", Role.INPUT), vector("c", Role.OUTPUT)),
        (launch("add", "a", "b", "c", N),),
        {"a": a, "b": b},
        engine.device.arch,
    )


def _reversal(engine: Engine, a: Array, shared: int) -> LaunchJob:
    size = len(a)
    return launch_job(
        (vector("a", Role.INPUT, size, DType.INT32), vector("b", Role.OUTPUT, size, DType.INT32)),
        (launch("reverse", "a", "b", size, threads=size, block=size, shared=shared),),
        {"a": a},
        engine.device.arch,
    )


def _on_c(engine: Engine, kernel: str, n: int = N, threads: int = N, block: int = BLOCK) -> LaunchJob:
    """Return a job that launches ``kernel(c, n)`` on an output ``c`` of ``N`` elements."""
    only = launch(kernel, "c", n, threads=threads, block=block)
    return launch_job((vector("c", Role.OUTPUT),), (only,), {}, engine.device.arch)


def _array(result: RunResult, name: str, dtype: type[np.generic] = np.float32) -> Array:
    assert result.fault is None, result.fault
    return np.frombuffer(result.outputs[name], dtype)


def _assert_crashed(result: RunResult) -> None:
    assert result.fault is not None
    assert result.fault.verdict is Verdict.CRASHED
    assert english(result.fault.reason)
    assert result.outputs == {}
    assert any(diagnostic.severity is Severity.ERROR for diagnostic in result.diagnostics)
