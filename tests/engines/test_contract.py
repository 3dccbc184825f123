"""The emulator, and an engine of another package, keep the engine port's contract."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.engines import registry
from grader.engines.emulator.engine import EmulatorEngine
from grader.engines.port import Engine
from grader.model.devices import TESLA_T4
from grader.model.plan import Role
from grader.model.run import EngineKind, RunOptions
from tests.engines.contract import EngineContract, launch, launch_job, numbers, vector


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    """Start one emulator for the whole file, because starting it takes a moment."""
    opened = EmulatorEngine(TESLA_T4)
    yield opened
    opened.close()


class TestEmulator(EngineContract):
    """An emulated T4."""

    modelled = True

    def test_it_is_the_emulator(self, engine: Engine) -> None:
        assert engine.kind is EngineKind.EMULATOR
        assert engine.device == TESLA_T4

    def test_it_counts_what_a_kernel_did(self, engine: Engine) -> None:
        size = 1024
        a = numbers(size)
        result = engine.run(
            launch_job(
                (
                    vector("a", Role.INPUT, size),
                    vector("b", Role.INPUT, size),
                    vector("c", Role.OUTPUT, size),
                ),
                (launch("add", "a", "b", "c", size, threads=size),),
                {"a": a, "b": a},
                engine.device.arch,
            ),
            RunOptions(),
        )
        (counters,) = result.counters
        assert (counters.launches, counters.blocks, counters.threads_per_block) == (1, 8, 128)
        assert (counters.global_requests, counters.global_sectors) == (3 * 32, 3 * 32 * 4)


class TestAnEngineOfAnotherPackage(EngineContract):
    """The engine of the example package, found by its entry point."""

    modelled = True

    @pytest.fixture
    def engine(self, installed_plugin: Path) -> Iterator[Engine]:
        assert installed_plugin.is_dir()
        opened = registry.support("quiet-emulator").open(TESLA_T4)
        yield opened
        opened.close()
