"""Forms of ``setp``, ``set``, ``selp`` and ``slct``."""

from collections.abc import Iterator

from tests.engines.emulator.golden.form import Form, form

_ORDER = ("eq", "ne", "lt", "le", "gt", "ge")
_UNSIGNED = ("lo", "ls", "hi", "hs")
_FLOAT = (*_ORDER, "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan")
_COMPARISONS = {
    **{f"s{bits}": _ORDER for bits in (16, 32, 64)},
    **{f"u{bits}": (*_ORDER, *_UNSIGNED) for bits in (16, 32, 64)},
    **{f"b{bits}": ("eq", "ne") for bits in (16, 32, 64)},
    **{f"f{bits}": _FLOAT for bits in (16, 32, 64)},
}


def comparing_forms() -> Iterator[Form]:
    """All forms of this module."""
    yield from _predicates()
    yield from _values()
    yield from _pairs()
    yield from _choices()


def _predicates() -> Iterator[Form]:
    for t, comparisons in _COMPARISONS.items():
        for ftz in ("", ".ftz") if t in {"f16", "f32"} else ("",):
            for name in comparisons:
                yield form(f"setp.{name}{ftz}.{t} %p, {{0}}, {{1}};", f"{t} {t}", "pred")
    for combine in ("and", "or", "xor"):
        text = f"setp.lt.f16 %r, {{1}}, {{2}}; setp.gt.{combine}.f16 %p, {{0}}, {{1}}, %r;"
        yield form(text, "f16 f16 f16", "pred", name=f"setp.gt.{combine}.f16")
        for t in ("s32", "u64", "f32", "f64"):
            for sign in ("", "!"):
                text = (
                    f"setp.lt.{t} %r, {{1}}, {{2}}; setp.gt.{combine}.{t} %p|%q, {{0}}, {{1}}, {sign}%r;"
                    "selp.u32 %w0, 2, 0, %q; selp.u32 %w1, 1, 0, %p; or.b32 {d}, %w0, %w1;"
                )
                yield form(text, f"{t} {t} {t}", "u32", name=f"setp.gt.{combine}.{t} p|q {sign}r")


def _values() -> Iterator[Form]:
    for result in ("u32", "s32", "f32"):
        for t, comparisons in _COMPARISONS.items():
            if t == "f16" and result == "f32":
                continue
            for name in comparisons[:: 1 if result == "u32" else 5]:
                yield form(f"set.{name}.{result}.{t}", f"{t} {t}", result)
    for t in ("s32", "f32"):
        for combine in ("and", "or", "xor"):
            text = f"setp.lt.{t} %r, {{1}}, {{2}}; set.ge.{combine}.u32.{t} {{d}}, {{0}}, {{1}}, !%r;"
            yield form(text, f"{t} {t} {t}", "u32", name=f"set.ge.{combine}.u32.{t}")
    for name in _FLOAT:
        yield form(f"set.{name}.ftz.u32.f32", "f32 f32", "u32")


def _pairs() -> Iterator[Form]:
    """Forms in half precision."""
    for name in _FLOAT:
        for ftz in ("", ".ftz"):
            text = (
                f"setp.{name}{ftz}.f16x2 %p|%q, {{0}}, {{1}};"
                "selp.u32 %w0, 2, 0, %q; selp.u32 %w1, 1, 0, %p; or.b32 {d}, %w0, %w1;"
            )
            yield form(text, "f16x2 f16x2", "u32", name=f"setp.{name}{ftz}.f16x2")
            yield form(f"set.{name}{ftz}.f16x2.f16x2", "f16x2 f16x2", "f16x2")
        yield form(f"set.{name}.f16.f16", "f16 f16", "f16")
    for result in ("u16", "s16"):
        yield form(f"set.lt.{result}.f16", "f16 f16", result)
    for t in ("s32", "u64", "f32", "f64"):
        yield form(f"set.lt.f16.{t}", f"{t} {t}", "f16")


def _choices() -> Iterator[Form]:
    types = [f"{kind}{bits}" for bits in (16, 32, 64) for kind in "bsu"]
    for t in (*types, "f32", "f64"):
        yield form(
            f"setp.lt.s32 %p, {{2}}, 9; selp.{t} {{d}}, {{0}}, {{1}}, %p;",
            f"{t} {t} s32",
            t,
            name=f"selp.{t}",
        )
        yield form(f"slct.{t}.s32", f"{t} {t} s32", t)
        for ftz in ("", ".ftz"):
            yield form(f"slct{ftz}.{t}.f32", f"{t} {t} f32", t)
