"""Forms of ``cvt`` among all types."""

from collections.abc import Iterator

from tests.engines.emulator.golden.float_forms import ROUNDINGS
from tests.engines.emulator.golden.form import Form, form

_INTEGERS = tuple(f"{kind}{bits}" for bits in (8, 16, 32, 64) for kind in "su")
_FLOATS = ("f16", "f32", "f64")
_INTEGRAL = ("rni", "rzi", "rmi", "rpi")


def converting_forms() -> Iterator[Form]:
    """All forms of this module."""
    yield from _integers()
    yield from _to_floats()
    yield from _from_floats()
    yield from _floats()
    yield from _packed()


def _integers() -> Iterator[Form]:
    for target in _INTEGERS:
        for source in _INTEGERS:
            yield form(f"cvt.{target}.{source}", source, target)
            if not _holds(target, source):
                yield form(f"cvt.sat.{target}.{source}", source, target)
    # A destination register may be wider than the type: the type's sign fills the rest.
    for t in _INTEGERS[:4]:
        text = f"cvt.sat.{t}.s64 %w0, {{0}}; mov.b32 {{d}}, %w0;"
        yield form(text, "s64", "b32", name=f"cvt.sat.{t}.s64 wide")


def _holds(target: str, source: str) -> bool:
    """Whether ``target`` can represent every value of ``source``; then there is no ``.sat`` form."""
    have, want = int(source[1:]), int(target[1:])
    if target[0] == source[0]:
        return want >= have
    return target[0] == "s" and want > have


def _to_floats() -> Iterator[Form]:
    for target in _FLOATS:
        for source in _INTEGERS:
            for mode in ROUNDINGS:
                yield form(f"cvt.{mode}.{target}.{source}", source, target)
            yield form(f"cvt.rn.sat.{target}.{source}", source, target)


def _from_floats() -> Iterator[Form]:
    for source in _FLOATS:
        flush = ("", ".ftz") if source == "f32" else ("",)
        for target in _INTEGERS:
            for mode in _INTEGRAL:
                yield from (form(f"cvt.{mode}{ftz}.{target}.{source}", source, target) for ftz in flush)
            yield form(f"cvt.rzi.sat.{target}.{source}", source, target)


def _floats() -> Iterator[Form]:
    for ftz in ("", ".ftz"):
        for sat in ("", ".sat"):
            yield form(f"cvt{ftz}{sat}.f32.f16", "f16", "f32")
            yield form(f"cvt{ftz}{sat}.f64.f32", "f32", "f64")
            yield form(f"cvt{ftz}{sat}.f32.f32", "f32", "f32")
            for mode in ROUNDINGS:
                yield form(f"cvt.{mode}{ftz}{sat}.f32.f64", "f64", "f32")
                yield form(f"cvt.{mode}{ftz}{sat}.f16.f32", "f32", "f16")
        for mode in _INTEGRAL:
            yield form(f"cvt.{mode}{ftz}.f32.f32", "f32", "f32")
    for sat in ("", ".sat"):
        yield form(f"cvt{sat}.f64.f16", "f16", "f64")
        yield form(f"cvt{sat}.f16.f16", "f16", "f16")
        yield form(f"cvt{sat}.f64.f64", "f64", "f64")
        for mode in ROUNDINGS:
            yield form(f"cvt.{mode}{sat}.f16.f64", "f64", "f16")
        for mode in _INTEGRAL:
            for t in ("f16", "f64"):
                yield form(f"cvt.{mode}{sat}.{t}.{t}", t, t)


def _packed() -> Iterator[Form]:
    for t in ("s16", "u16"):
        yield form(f"cvt.pack.sat.{t}.s32", "s32 s32", "b32")
    for t in ("s8", "u8", "s4", "u4", "s2", "u2"):
        yield form(f"cvt.pack.sat.{t}.s32.b32", "s32 s32 b32", "b32")
