"""The memory of the imitated device is bounded."""

from collections.abc import Iterator

import pytest

from grader.model.location import SourceLocation
from grader.programs.arena import Arena
from grader.programs.memory import ProgramMemory


@pytest.fixture
def arena() -> Iterator[Arena]:
    made = Arena()
    yield made
    made.close()


def test_a_device_gives_no_more_memory_than_it_has(arena: Arena) -> None:
    memory = ProgramMemory(arena, track=False, narrow=False, device_bytes=1000)
    nowhere = SourceLocation()
    assert memory.allocate(600, "a", nowhere) is not None
    assert memory.allocate(600, "b", nowhere) is None
    assert memory.allocate(400, "c", nowhere) is not None
