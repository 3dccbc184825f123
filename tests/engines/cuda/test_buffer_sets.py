"""In which memory the pairs of a comparison are made, on a pretended GPU."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

from grader.engines.cuda import memory as memory_module
from grader.engines.cuda import prepared as prepared_module
from grader.engines.cuda.arena import Arenas
from grader.engines.cuda.buffer_sets import MOST, SHARE, BufferSetRotation
from grader.engines.cuda.memory import DeviceMemory
from grader.engines.cuda.prepared import Prepared
from grader.model.devices import by_name
from grader.model.plan import Role
from grader.model.texture import Texture
from tests.engines.contract import launch, launch_job, vector
from tests.engines.cuda.host_memory import HostRuntime, pretended_cupy

DEVICE = by_name("h200")


class Loads:
    """In place of ``LoadedKernels``: counts how often code is loaded."""

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


def places(runtime: HostRuntime) -> BufferSetRotation:
    cupy = pretended_cupy(runtime)
    same = launch_job(
        (vector("a", Role.INPUT), vector("c", Role.OUTPUT)), (launch("add", "a", "c"),), {}, DEVICE.arch
    )
    arenas = Arenas(cupy, [same.plan, same.plan])
    return BufferSetRotation(cupy, arenas, *(Prepared(cupy, DEVICE, same) for _ in range(2)))


def addresses(found: BufferSetRotation) -> list[tuple[int, ...]]:
    """Where either side's outputs lie now."""
    return [tuple(copy.memory.address("c") for copy in side.copies) for side in _sides(found)]


def _sides(found: BufferSetRotation) -> tuple[Prepared, Prepared]:
    return found.here.baseline, found.here.submission


def visited(found: BufferSetRotation, moves: int) -> list[tuple[int, ...]]:
    """Where the outputs lay at first and after each move; of both sides in the same places."""
    seen = []
    for _ in range(moves + 1):
        baseline, submission = addresses(found)
        assert baseline == submission
        seen.append(submission)
        found.move_on()
    return seen


def test_every_place_is_another_until_there_are_enough_and_then_they_come_again(loads: Loads) -> None:
    seen = visited(places(HostRuntime()), 2 * MOST - 1)
    assert len(set(seen)) == MOST
    assert seen[:MOST] == seen[MOST:]
    assert loads.count == 2, "either side's code is loaded once"


def test_a_place_has_a_number_that_it_keeps(loads: Loads) -> None:
    found = places(HostRuntime())
    numbered = []
    for _ in range(2 * MOST):
        numbered.append((found.number, addresses(found)[0]))
        found.move_on()
    assert len(set(numbered)) == MOST
    assert [number for number, _ in numbered] == [*range(MOST)] * 2
    assert loads.count == 2


def test_the_copies_of_a_batch_are_places_too(loads: Loads) -> None:
    found = places(HostRuntime())
    found.multiply(20)
    seen = visited(found, 2 * MOST // 20 - 1)
    assert {len(each) for each in seen} == {20}
    assert len({address for each in seen for address in each}) == MOST
    assert len(found.answers) == 20
    assert loads.count == 2


def test_they_take_a_part_of_the_memory_at_most(loads: Loads) -> None:
    size = places(HostRuntime()).here.nbytes
    expected = ((0, 1), (1, 1), (3, 3), (4, 4), (7, 7))
    for fitting, count in expected:
        found = places(HostRuntime(SHARE * (size * fitting + size - 1)))
        assert len(set(visited(found, 12))) == found.most == count
    assert loads.count == 2 * (1 + len(expected))


@pytest.mark.parametrize(
    ("there", "kept"), [(None, 28), (26, 24), (13, 12), (12, 12), (11, 8), (4, 4), (3, 1), (1, 1)]
)
def test_a_pair_has_a_group_of_places_that_no_other_has_a_part_of(
    loads: Loads, there: int | None, kept: int
) -> None:
    runtime = HostRuntime(SHARE * 30 * places(HostRuntime()).here.nbytes)
    found = places(runtime)
    if there is not None:  # where memory ends sooner than it said
        runtime.capacity = there * sum(map(len, runtime.blocks.values()))
    found.in_groups_of(4)
    groups = []
    for _ in range(40):
        found.begin_pair()
        group = set()
        for _ in range(found.group):
            found.move_on()
            group.add(found.number)
        groups.append((found.number, frozenset(group)))
    if there is not None:
        del groups[there // 4]  # the one that was begun when it ended
    whole = {range(first, first + 4) for first in range(0, kept, 4)} if kept > 1 else {range(1)}
    assert set(groups) == {(each[-1], frozenset(each)) for each in whole}
    assert found.most == kept
    assert loads.count == 2 * 2


@pytest.mark.parametrize(("there", "used"), [(5, 5), (4, 4), (1, 1)])
def test_where_memory_ends_sooner_than_it_said_there_are_fewer(loads: Loads, there: int, used: int) -> None:
    runtime = HostRuntime()
    found = places(runtime)
    runtime.capacity = there * sum(map(len, runtime.blocks.values()))
    seen = visited(found, 4 * there)
    assert len(set(seen[there:])) == found.most == used
    assert loads.count == 2


def test_what_textures_take_is_counted(loads: Loads, monkeypatch: pytest.MonkeyPatch) -> None:
    class Copy:
        """In place of ``TextureCopy``."""

        nbytes, handle = 1_000_000, 7

        def __init__(self, *_: Any) -> None:
            """As large as it says."""

        def take(self, _address: int) -> None:
            """Of the buffer."""

    without = places(HostRuntime()).nbytes
    monkeypatch.setattr(memory_module, "TextureCopy", Copy)
    texture = Texture(buffer="a", dimensions=1)
    loads.ready = lambda memory: [memory.address(texture)]
    room = SHARE * 4 * (without + 2 * Copy.nbytes)
    found = places(HostRuntime(room))
    assert found.nbytes == without + 2 * Copy.nbytes
    assert len(set(visited(found, 12))) == 4


def test_in_the_end_nothing_is_left_in_any(loads: Loads) -> None:
    runtime = HostRuntime()
    found = places(runtime)
    visited(found, MOST)
    found.arenas.close()
    assert len(runtime.freed) == MOST
    assert not any(any(block) for block in runtime.freed)
    assert loads.count == 2
