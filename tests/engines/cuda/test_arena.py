"""Guard zones: their layout, and what they reveal about an out-of-bounds write."""

import math
import struct
from itertools import pairwise

import numpy as np
import pytest

from grader.engines.arena_layout import ALIGNMENT, GUARD_BYTES, Zone, lay_out
from grader.engines.cuda.arena import GUARD_WORD, guard_bytes, zone_damage
from grader.model.element_types import DType
from grader.model.plan import Buffer, Role
from grader.model.reason import reason
from tools.messages import params


def buffer(name: str, size: int, dtype: DType = DType.FLOAT32) -> Buffer:
    return Buffer(name=name, dtype=dtype, shape=(size,), role=Role.OUTPUT)


BUFFERS = (buffer("a", 3), buffer("empty", 0), buffer("c", 1000, DType.FLOAT64))


def test_buffers_and_guards_tile_the_whole_allocation() -> None:
    layout = lay_out(BUFFERS)
    spans = [(layout.offset(b), layout.offset(b) + b.nbytes) for b in BUFFERS]
    spans += [(zone.start, zone.stop) for zone in layout.zones]
    spans.sort()
    assert spans[0][0] == 0
    assert spans[-1][1] == layout.size
    assert all(left[1] == right[0] for left, right in pairwise(spans))


def test_every_buffer_is_aligned_and_guarded_on_both_sides() -> None:
    layout = lay_out(BUFFERS)
    assert all(offset % ALIGNMENT == 0 for offset in layout.offsets.values())
    assert all(zone.size >= GUARD_BYTES for zone in layout.zones)
    assert [(zone.after, zone.before) for zone in layout.zones] == [
        (None, "a"),
        ("a", "empty"),
        ("empty", "c"),
        ("c", None),
    ]


def test_a_plan_without_buffers_needs_only_guards() -> None:
    layout = lay_out(())
    assert layout.offsets == {}
    assert layout.size >= GUARD_BYTES


def test_reading_a_guard_poisons_whatever_is_computed_from_it() -> None:
    assert math.isnan(struct.unpack("<f", struct.pack("<I", GUARD_WORD))[0])
    assert math.isnan(struct.unpack("<d", struct.pack("<II", GUARD_WORD, GUARD_WORD))[0])


@pytest.mark.parametrize("value", [np.float32(np.nan), np.float32(0), np.int32(-1), np.float64(np.nan)])
def test_no_usual_value_looks_like_an_untouched_guard(value: np.generic) -> None:
    assert value.tobytes()[:4] != struct.pack("<I", GUARD_WORD)


ZONE = Zone(start=12, stop=12 + 1000, after="a", before="b")


def spoiled(zone: Zone, offset: int, count: int = 1) -> bytes:
    content = bytearray(guard_bytes(zone))
    content[offset : offset + count] = b"\x3f" * count
    return bytes(content)


def test_an_untouched_guard_is_whole() -> None:
    assert zone_damage(ZONE, guard_bytes(ZONE)) is None


def test_damage_is_put_down_to_the_nearer_buffer() -> None:
    assert zone_damage(ZONE, spoiled(ZONE, 0, 4)) == reason(
        "guard-past-end", buffer="a", distance=reason("right-behind-last-element")
    )
    assert zone_damage(ZONE, spoiled(ZONE, 996, 4)) == reason(
        "guard-before-start", buffer="b", distance=reason("right-before-first-element")
    )
    assert zone_damage(ZONE, spoiled(ZONE, 100)) == reason(
        "guard-past-end", buffer="a", distance=reason("behind-last-element", bytes=reason("bytes", count=100))
    )


def test_the_outermost_guards_have_one_neighbour() -> None:
    first = Zone(start=0, stop=1000, after=None, before="a")
    last = Zone(start=0, stop=1000, after="c", before=None)
    assert params(zone_damage(first, spoiled(first, 3)), "guard-before-start")["buffer"] == "a"
    assert params(zone_damage(last, spoiled(last, 990)), "guard-past-end")["buffer"] == "c"
