"""The emulator's arithmetic matches recorded hardware results, form by form.

``golden.record`` made the recording; ``docs/contributor/emulator-inside.md`` describes how to make a new one.
"""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.engines.emulator.golden.form import KERNEL, LANES, Bound, Form, form, width
from tests.engines.emulator.golden.operands import operands
from tests.engines.emulator.golden.recording import HARDWARE, Recording, planes_of, read, write
from tests.engines.emulator.golden.suite import all_forms
from tools.emulator.compiling import Out, run_ptx
from tools.paths import CHECKOUT

FORMS = all_forms()
_PIECES = {
    "f16x2": (16, 2, np.float16),
    "f16": (16, 1, np.float16),
    "bf16": (16, 1, None),
    "f32": (32, 1, np.float32),
    "f64": (64, 1, np.float64),
}
"""For each kind of float: bits, number in a word, and NumPy type."""


@cache
def hardware() -> Recording:
    return read(HARDWARE)


def emulated(form: Form) -> NDArray[np.uint64]:
    """The emulator's results, a word per lane."""
    inputs = {f"p{i}": row for i, row in enumerate(operands(form.ins))}
    ran = run_ptx(form.ptx, KERNEL, 1, LANES, {**inputs, "result": Out((LANES,), np.uint64)})
    return ran["result"]


def numbers(kind: str, words: NDArray[np.uint64]) -> NDArray[np.float64]:
    """The values in words of a kind of float, one row per value of a word."""
    bits, count, type_ = _PIECES[kind]
    rows = [words >> np.uint64(bits * i) & np.uint64((1 << bits) - 1) for i in range(count)]
    if type_ is None:
        return np.array(
            [(row << np.uint64(16)).astype(np.uint32).view(np.float32) for row in rows], np.float64
        )
    with np.errstate(invalid="ignore"):
        return np.array([row.astype(f"u{bits // 8}").view(type_) for row in rows], np.float64)


def steps(kind: str, words: NDArray[np.uint64]) -> NDArray[np.object_]:
    """Floats as integers in their order, so that neighbours differ by one; both zeros are 0."""
    bits, count, _ = _PIECES[kind]
    top = 1 << (bits - 1)
    rows = [[int(word) >> bits * i & (2 * top - 1) for word in words] for i in range(count)]
    return np.array([[top - v if v & top else v for v in row] for row in rows], object)


def agree(form: Form, ours: NDArray[np.uint64], theirs: NDArray[np.uint64]) -> NDArray[np.bool_]:
    """The lanes in which two results are as close as the form requires. All NaNs count as equal."""
    same = ours == theirs
    if form.out not in _PIECES:
        return same
    a, b = numbers(form.out, ours), numbers(form.out, theirs)
    bits = _PIECES[form.out][0]
    mask = np.uint64((1 << bits) - 1)
    equal = np.array(
        [
            (ours >> np.uint64(bits * i) & mask) == (theirs >> np.uint64(bits * i) & mask)
            for i in range(len(a))
        ]
    )
    close = equal | (np.isnan(a) & np.isnan(b))
    if form.bound is not None:
        close |= _within(form, form.bound, ours, theirs)
    return np.logical_and.reduce(close, axis=0)


def _within(
    form: Form, bound: Bound, ours: NDArray[np.uint64], theirs: NDArray[np.uint64]
) -> NDArray[np.bool_]:
    a, b = numbers(form.out, ours), numbers(form.out, theirs)
    finite = np.isfinite(a) & np.isfinite(b)
    with np.errstate(invalid="ignore", over="ignore"):
        distance = np.abs(a - b)
        close = distance <= np.maximum(bound.absolute, bound.relative * np.abs(b))
    apart = np.abs(steps(form.out, ours) - steps(form.out, theirs))
    close = (finite & close) | (~(np.isnan(a) | np.isnan(b)) & (apart <= bound.ulp).astype(bool))
    if form.ins[0] in _PIECES and form.ins[0] != "f16x2":
        with np.errstate(invalid="ignore"):
            close |= np.abs(numbers(form.ins[0], operands(form.ins)[0])) > bound.inside
    return close


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.name)
def test_the_emulator_answers_as_hardware_does(form: Form) -> None:
    ours, theirs = emulated(form), hardware().of(form)
    wrong = np.flatnonzero(~agree(form, ours, theirs))
    digits = width(form.out) // 4
    rows = operands(form.ins)
    assert len(wrong) == 0, f"{len(wrong)} of {LANES} differ: " + "; ".join(
        f"({', '.join(f'{int(row[i]):#x}' for row in rows)}) gives {int(ours[i]):#0{digits + 2}x}"
        f" and not {int(theirs[i]):#0{digits + 2}x}"
        for i in wrong[:4]
    )


def test_every_form_has_a_name_of_its_own() -> None:
    assert len({form.name for form in FORMS}) == len(FORMS)


def test_the_page_counts_compared_and_exact_forms() -> None:
    page = (CHECKOUT / "docs" / "contributor" / "emulator-inside.md").read_text(encoding="utf-8")
    exact = sum(form.bound is None for form in FORMS)
    assert f"{len(FORMS):,} forms" in page
    assert f"{exact:,} must agree bit for bit" in page


def test_a_form_that_was_never_recorded_has_no_answer() -> None:
    with pytest.raises(KeyError):
        hardware().of(form("add.s32 {d}, {0}, 77;", "s32", "s32"))


def test_a_recording_is_read_as_it_was_written(tmp_path: Path) -> None:
    some = FORMS[:5]
    words = {one.digest: np.arange(LANES, dtype=np.uint64) + np.uint64(i) for i, one in enumerate(some)}
    path = tmp_path / "some.xz"
    write(
        path,
        Recording({"device": "none"}, {one.digest: planes_of(one, words[one.digest]) for one in some}),
    )
    again = read(path)
    assert again.provenance == {"device": "none"}
    for one in some:
        mask = np.uint64((1 << 8 * one.out_bytes) - 1)
        assert np.array_equal(again.of(one), words[one.digest] & mask)
