"""The buffer sets that a comparison's pairs use in rotation, on a fake GPU."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from grader.engines.cuda import memory as memory_module
from grader.engines.cuda import prepared as prepared_module
from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.buffer_sets import MAX_COPIES, MEMORY_DIVISOR, BufferSetRotation
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.prepared import Prepared
from grader.model.devices import by_name
from grader.model.plan import Role
from grader.model.texture import Texture
from tests.engines.contract import launch, launch_job, vector
from tests.engines.cuda.fake_cupy import HostRuntime, fake_cupy

DEVICE = by_name("h200")


class Loads:
    """Replaces ``LoadedKernels``: counts how often code is loaded."""

    def __init__(self) -> None:
        self.count = 0
        self.ready: Callable[[DeviceMemory], list[Any]] = lambda _memory: []

    def __call__(self, *_: Any) -> Any:
        self.count += 1
        return SimpleNamespace(ready=self.ready)


@pytest.fixture
def loads(monkeypatch: pytest.MonkeyPatch) -> Loads:
    loads = Loads()
    monkeypatch.setattr(prepared_module, "LoadedKernels", loads)
    monkeypatch.setattr(Prepared, "captured", lambda *_: None)
    return loads


def rotation(runtime: HostRuntime) -> BufferSetRotation:
    cupy = fake_cupy(runtime)
    same = launch_job(
        (vector("a", Role.INPUT), vector("c", Role.OUTPUT)), (launch("add", "a", "c"),), {}, DEVICE.arch
    )
    arenas = Arenas(cupy, [same.plan, same.plan])
    return BufferSetRotation(cupy, arenas, *(Prepared(cupy, DEVICE, same) for _ in range(2)))


def addresses(found: BufferSetRotation) -> list[tuple[int, ...]]:
    """Return the addresses of each side's outputs in the current set."""
    return [tuple(copy.memory.address("c") for copy in side.copies) for side in _sides(found)]


def _sides(found: BufferSetRotation) -> tuple[Prepared, Prepared]:
    return found.current.baseline, found.current.submission


def visited(found: BufferSetRotation, moves: int) -> list[tuple[int, ...]]:
    """Return the outputs' addresses at first and after each move; both sides must have the same addresses."""
    seen = []
    for _ in range(moves + 1):
        baseline, submission = addresses(found)
        assert baseline == submission
        seen.append(submission)
        found.advance()
    return seen


def test_new_sets_are_made_up_to_the_limit_then_reused(loads: Loads) -> None:
    seen = visited(rotation(HostRuntime()), 2 * MAX_COPIES - 1)
    assert len(set(seen)) == MAX_COPIES
    assert seen[:MAX_COPIES] == seen[MAX_COPIES:]
    assert loads.count == 2, "each side's code is loaded once"


def test_a_buffer_set_keeps_its_index(loads: Loads) -> None:
    found = rotation(HostRuntime())
    numbered = []
    for _ in range(2 * MAX_COPIES):
        numbered.append((found.index, addresses(found)[0]))
        found.advance()
    assert len(set(numbered)) == MAX_COPIES
    assert [number for number, _ in numbered] == [*range(MAX_COPIES)] * 2
    assert loads.count == 2


def test_the_copies_of_a_batch_count_as_buffers(loads: Loads) -> None:
    found = rotation(HostRuntime())
    found.set_copies(20)
    seen = visited(found, 2 * MAX_COPIES // 20 - 1)
    assert {len(each) for each in seen} == {20}
    assert len({address for each in seen for address in each}) == MAX_COPIES
    assert len(found.snapshots) == 20
    assert loads.count == 2


def test_all_sets_fit_into_a_part_of_the_memory(loads: Loads) -> None:
    size = rotation(HostRuntime()).current.nbytes
    expected = ((0, 1), (1, 1), (3, 3), (4, 4), (7, 7))
    for fitting, count in expected:
        found = rotation(HostRuntime(MEMORY_DIVISOR * (size * fitting + size - 1)))
        assert len(set(visited(found, 12))) == found.limit == count
    assert loads.count == 2 * (1 + len(expected))


@pytest.mark.parametrize(
    ("there", "kept"), [(None, 28), (26, 24), (13, 12), (12, 12), (11, 8), (4, 4), (3, 1), (1, 1)]
)
def test_groups_of_buffer_sets_are_disjoint(loads: Loads, there: int | None, kept: int) -> None:
    runtime = HostRuntime(MEMORY_DIVISOR * 30 * rotation(HostRuntime()).current.nbytes)
    found = rotation(runtime)
    if there is not None:  # less memory than reported
        runtime.capacity = there * sum(map(len, runtime.blocks.values()))
    found.set_group_size(4)
    groups = []
    for _ in range(40):
        found.begin_pair()
        group = set()
        for _ in range(found.group_size):
            found.advance()
            group.add(found.index)
        groups.append((found.index, frozenset(group)))
    if there is not None:
        del groups[there // 4]  # the group that lack of memory cut short
    whole = {range(first, first + 4) for first in range(0, kept, 4)} if kept > 1 else {range(1)}
    assert set(groups) == {(each[-1], frozenset(each)) for each in whole}
    assert found.limit == kept
    assert loads.count == 2 * 2


@pytest.mark.parametrize(("there", "used"), [(5, 5), (4, 4), (1, 1)])
def test_with_less_memory_than_reported_there_are_fewer_sets(loads: Loads, there: int, used: int) -> None:
    runtime = HostRuntime()
    found = rotation(runtime)
    runtime.capacity = there * sum(map(len, runtime.blocks.values()))
    seen = visited(found, 4 * there)
    assert len(set(seen[there:])) == found.limit == used
    assert loads.count == 2


def test_the_memory_of_textures_is_counted(loads: Loads, monkeypatch: pytest.MonkeyPatch) -> None:
    class Copy:
        """Replaces ``TextureCopy``."""

        nbytes, handle = 1_000_000, 7

        def __init__(self, *_: Any) -> None:
            """Set a fixed size."""

        def take(self, _address: int) -> None:
            """Copy nothing."""

    without = rotation(HostRuntime()).nbytes
    monkeypatch.setattr(memory_module, "TextureCopy", Copy)
    texture = Texture(buffer="a", dimensions=1)
    loads.ready = lambda memory: [memory.address(texture)]
    room = MEMORY_DIVISOR * 4 * (without + 2 * Copy.nbytes)
    found = rotation(HostRuntime(room))
    assert found.nbytes == without + 2 * Copy.nbytes
    assert len(set(visited(found, 12))) == 4


def test_all_memory_is_wiped_when_it_is_freed(loads: Loads) -> None:
    runtime = HostRuntime()
    found = rotation(runtime)
    visited(found, MAX_COPIES)
    found.arenas.close()
    assert len(runtime.freed) == MAX_COPIES
    assert not any(any(block) for block in runtime.freed)
    assert loads.count == 2
