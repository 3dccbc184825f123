"""Forms of floating-point arithmetic of 16, 32 and 64 bits."""

from collections.abc import Iterator
from itertools import product

from tests.engines.emulator.golden.form import Bound, Form, form

ROUNDINGS = ("rn", "rz", "rm", "rp")
_ISA = "PTX ISA 9.0, "

APPROXIMATE_32: dict[str, Bound] = {
    "rcp.approx": Bound(_ISA + "rcp: 1 ulp", ulp=1),
    "sqrt.approx": Bound(_ISA + "sqrt: relative error 2^-23", ulp=1, relative=2**-22.9),
    "rsqrt.approx": Bound(_ISA + "rsqrt: relative error 2^-22.9", ulp=1, relative=2**-22.8),
    "sin.approx": Bound(_ISA + "sin: absolute error 2^-20.5 in [-2pi, 2pi]", absolute=2**-20.5),
    "cos.approx": Bound(_ISA + "cos: absolute error 2^-20.5 in [-2pi, 2pi]", absolute=2**-20.5),
    "lg2.approx": Bound(
        _ISA + "lg2: error 2^-22, absolute within (0.5, 2)", relative=2**-22, absolute=2**-22
    ),
    "ex2.approx": Bound(_ISA + "ex2: 2 ulp", ulp=2),
    "tanh.approx": Bound(_ISA + "tanh: relative error 2^-11", relative=2**-11),
}
"""Functions of one float32. Bounds are relative to the true value; each includes the emulator's error of half an ulp.

The bounds of sine and cosine are also checked beyond their interval, because the emulator reduces the argument as
hardware does.
"""

_DIVISION = Bound(_ISA + "div.approx, div.full: 2 ulp", ulp=2)
_TANH_16 = Bound(_ISA + "tanh f16: absolute error 2^-10.987", absolute=2**-10.9, ulp=1)
_EX2_16 = Bound(_ISA + "ex2 f16: relative error 2^-9.9", relative=2**-9.8, ulp=1)
_CLASSES = ("finite", "infinite", "number", "notanumber", "normal", "subnormal")


def float_forms() -> Iterator[Form]:
    """All forms of this module."""
    yield from _single()
    yield from _single_functions()
    yield from _double()
    yield from _half()


def _modified(name: str, *groups: tuple[str, ...]) -> Iterator[str]:
    """``name`` with one modifier of every group; an empty modifier adds nothing."""
    for chosen in product(*groups):
        yield ".".join((name, *filter(None, chosen)))


def _single() -> Iterator[Form]:
    ftz, sat = ("", "ftz"), ("", "sat")
    for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("mad", 3)):
        roundings = ROUNDINGS if count == 3 else ("", *ROUNDINGS)
        for full in _modified(name, roundings, ftz, sat):
            yield form(f"{full}.f32", "f32 " * count, "f32")
    for full in _modified("div", ROUNDINGS, ftz):
        yield form(f"{full}.f32", "f32 f32", "f32")
    for full in _modified("div", ("approx", "full"), ftz):
        yield form(f"{full}.f32", "f32 f32", "f32", bound=_DIVISION)


def _single_functions() -> Iterator[Form]:
    ftz = ("", "ftz")
    for name in ("rcp", "sqrt"):
        for full in _modified(name, ROUNDINGS, ftz):
            yield form(f"{full}.f32", "f32", "f32")
    for name, bound in APPROXIMATE_32.items():
        for full in _modified(name, ftz if not name.startswith("tanh") else ("",)):
            yield form(f"{full}.f32", "f32", "f32", bound=bound)
    for name in ("min", "max"):
        for full in _modified(name, ftz):
            yield form(f"{full}.f32", "f32 f32", "f32")
    for name in ("abs", "neg"):
        for full in _modified(name, ftz):
            yield form(f"{full}.f32", "f32", "f32")
    yield form("copysign.f32", "f32 f32", "f32")
    for name in _CLASSES:
        yield form(f"testp.{name}.f32 %p, {{0}};", "f32", "pred")


def _double() -> Iterator[Form]:
    for name, count in (("add", 2), ("sub", 2), ("mul", 2), ("fma", 3), ("mad", 3), ("div", 2)):
        roundings = ROUNDINGS if count == 3 or name == "div" else ("", *ROUNDINGS)
        for full in _modified(name, roundings):
            yield form(f"{full}.f64", "f64 " * count, "f64")
    for name in ("rcp", "sqrt"):
        for full in _modified(name, ROUNDINGS):
            yield form(f"{full}.f64", "f64", "f64")
    coarse = Bound(_ISA + "rcp.approx.ftz.f64: the 20 most significant bits", relative=2**-19)
    yield form("rcp.approx.ftz.f64", "f64", "f64", bound=coarse)
    coarse = Bound(_ISA + "rsqrt.approx.ftz.f64: as coarse as rcp.approx.ftz.f64", relative=2**-19)
    yield form("rsqrt.approx.ftz.f64", "f64", "f64", bound=coarse)
    yield form("rsqrt.approx.f64", "f64", "f64", bound=Bound(_ISA + "rsqrt.approx.f64", relative=2**-22.8))
    for name in ("min", "max", "copysign"):
        yield form(f"{name}.f64", "f64 f64", "f64")
    for name in ("abs", "neg"):
        yield form(f"{name}.f64", "f64", "f64")
    for name in _CLASSES:
        yield form(f"testp.{name}.f64 %p, {{0}};", "f64", "pred")


def _half() -> Iterator[Form]:
    ftz, sat = ("", "ftz"), ("", "sat")
    for t in ("f16", "f16x2"):
        for name in ("add", "sub", "mul"):
            for full in _modified(name, ("", "rn"), ftz, sat):
                yield form(f"{full}.{t}", f"{t} {t}", t)
        for full in _modified("fma.rn", ftz, sat):
            yield form(f"{full}.{t}", f"{t} {t} {t}", t)
        for name in ("neg", "abs"):
            for full in _modified(name, ftz):
                yield form(f"{full}.{t}", t, t)
        yield form(f"tanh.approx.{t}", t, t, bound=_TANH_16)
        yield form(f"ex2.approx.{t}", t, t, bound=_EX2_16)
