"""Every group of arithmetic instructions against NumPy, lane by lane, with special values."""

import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.engines.emulator.golden.form import KERNEL, form
from tools.emulator.compiling import Out, run_ptx

Array = NDArray[Any]
RNG = np.random.default_rng(3)
N = 256

SPECIAL_INT = [
    0,
    1,
    -1,
    2,
    7,
    31,
    32,
    33,
    63,
    64,
    65,
    255,
    256,
    2**15,
    2**16 - 1,
    2**31 - 1,
    -(2**31),
    2**31,
    2**32 - 1,
]
SPECIAL_FLOAT = [
    *(0.0, -0.0, 1.0, -1.0, 0.5, 1.5, 2.5, -2.5, 1e-40, -1e-40, 1.1754942e-38, 3.4028235e38, -3.4028235e38),
    *(math.inf, -math.inf, math.nan, 16777217.0, 2147483648.0, -2147483649.0, 1e10, -1e20, 0.99999994, 1e-30),
]


def integers(bits: int, seed: int) -> Array:
    """Random and special patterns of a width, as unsigned."""
    rng = np.random.default_rng(seed)
    some = rng.integers(0, 2**63, N, dtype=np.uint64) * np.uint64(2) + rng.integers(0, 2, N, dtype=np.uint64)
    special = np.array([value & (2**64 - 1) for value in SPECIAL_INT], np.uint64)
    some[: len(special)] = rng.permutation(special)
    some[40:80] = rng.choice(special, 40)
    return some.astype(f"u{bits // 8}")


def floats(bits: int, seed: int) -> Array:
    """Random and special floats of a width."""
    rng = np.random.default_rng(seed)
    with np.errstate(all="ignore"):
        some = (rng.standard_normal(N) * 10.0 ** rng.integers(-12, 12, N)).astype(f"f{bits // 8}")
        special = np.array(SPECIAL_FLOAT).astype(some.dtype)
    some[: len(special)] = rng.permutation(special)
    some[40:80] = rng.choice(special, 40)
    return some


def apply(instruction: str, result: str, *operands: Array) -> Array:
    """Run PTX on 256 threads: ``{d}`` is the result, of NumPy type ``result``; ``{0}``, ``{1}``... are the operands."""
    dtype = np.dtype(result)
    kinds = " ".join(f"b{8 * array.itemsize}" for array in operands)
    ptx = form(instruction, kinds, f"b{8 * dtype.itemsize}").ptx
    words = {f"p{i}": array.view(f"u{array.itemsize}").astype(np.uint64) for i, array in enumerate(operands)}
    ran = run_ptx(ptx, KERNEL, 1, N, {**words, "result": Out((N,), np.uint64)})
    return ran["result"].astype(f"u{dtype.itemsize}").view(dtype)


def same(got: Array, want: Array) -> None:
    """Whether two arrays are equal bit for bit; all NaNs count as equal."""
    want = np.asarray(want).astype(got.dtype)
    if got.dtype.kind == "f":
        nan = np.isnan(want)
        assert np.array_equal(np.isnan(got), nan)
        got, want = np.where(nan, 0, got).astype(got.dtype), np.where(nan, 0, want).astype(got.dtype)
        got, want = got.view(f"u{got.itemsize}"), want.view(f"u{got.itemsize}")
    different = np.flatnonzero(got != want)
    assert len(different) == 0, (
        f"{len(different)} differ, first at {different[0]}: {got[different[0]]} for {want[different[0]]}"
    )


def python_integers(function: Callable[..., int], bits: int, *operands: Array) -> Array:
    """Apply a function of Python's unbounded integers and wrap the results to a width."""
    return np.array(
        [function(*(int(v) for v in row)) & (2**bits - 1) for row in zip(*operands, strict=True)], np.uint64
    ).astype(f"u{bits // 8}")


def signed(value: int, bits: int) -> int:
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def quotient(a: int, b: int) -> int:
    return -1 if b == 0 else abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    return -1 if b == 0 else a - quotient(a, b) * b


INTEGER: dict[str, Callable[[int, int], int]] = {
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul.lo": lambda a, b: a * b,
    "div": quotient,
    "rem": remainder,
    "min": min,
    "max": max,
}


@pytest.mark.parametrize("kind", ["s", "u"])
@pytest.mark.parametrize("bits", [16, 32, 64])
@pytest.mark.parametrize("name", INTEGER)
def test_integer_arithmetic(name: str, bits: int, kind: str) -> None:
    a, b = integers(bits, 1), integers(bits, 2)
    got = apply(f"{name}.{kind}{bits} {{d}}, {{0}}, {{1}};", f"u{bits // 8}", a, b)

    def exact(x: int, y: int) -> int:
        return INTEGER[name](signed(x, bits), signed(y, bits)) if kind == "s" else INTEGER[name](x, y)

    same(got, python_integers(exact, bits, a, b))


@pytest.mark.parametrize("kind", ["s", "u"])
@pytest.mark.parametrize("bits", [16, 32, 64])
def test_high_and_wide_products(bits: int, kind: str) -> None:
    a, b, c = integers(bits, 3), integers(bits, 4), integers(bits, 5)

    def product(x: int, y: int) -> int:
        return signed(x, bits) * signed(y, bits) if kind == "s" else x * y

    if bits < 64:
        wide = apply(f"mul.wide.{kind}{bits} {{d}}, {{0}}, {{1}};", f"u{bits // 4}", a, b)
        same(wide, python_integers(product, 2 * bits, a, b))
    high = apply(f"mul.hi.{kind}{bits} {{d}}, {{0}}, {{1}};", f"u{bits // 8}", a, b)
    same(high, python_integers(lambda x, y: product(x, y) >> bits, bits, a, b))
    total = apply(f"mad.lo.{kind}{bits} {{d}}, {{0}}, {{1}}, {{2}};", f"u{bits // 8}", a, b, c)
    same(total, python_integers(lambda x, y, z: x * y + z, bits, a, b, c))
    total = apply(f"mad.hi.{kind}{bits} {{d}}, {{0}}, {{1}}, {{2}};", f"u{bits // 8}", a, b, c)
    same(total, python_integers(lambda x, y, z: (product(x, y) >> bits) + z, bits, a, b, c))


def test_sums_with_a_carry_make_a_128_bit_sum() -> None:
    low_a, high_a, low_b, high_b = (integers(64, seed) for seed in (6, 7, 8, 9))
    text = "add.cc.u64 {{d}}, {{0}}, {{2}}; {last} {{d}}, {{1}}, {{3}};"
    got = apply(text.format(last="addc.u64"), "u8", low_a, high_a, low_b, high_b)
    same(
        got,
        python_integers(
            lambda a, b, c, d: ((b << 64) + a + (d << 64) + c) >> 64, 64, low_a, high_a, low_b, high_b
        ),
    )
    text = "sub.cc.u64 {d}, {0}, {2}; subc.u64 {d}, {1}, {3};"
    got = apply(text, "u8", low_a, high_a, low_b, high_b)
    same(
        got,
        python_integers(
            lambda a, b, c, d: ((b << 64) + a - (d << 64) - c) >> 64, 64, low_a, high_a, low_b, high_b
        ),
    )


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_shifts_clamp_their_amount(bits: int) -> None:
    a, n = integers(bits, 10), integers(32, 11)
    u = f"u{bits // 8}"
    same(
        apply(f"shl.b{bits} {{d}}, {{0}}, {{1}};", u, a, n),
        python_integers(lambda x, k: x << min(k, 64), bits, a, n),
    )
    same(
        apply(f"shr.u{bits} {{d}}, {{0}}, {{1}};", u, a, n),
        python_integers(lambda x, k: x >> min(k, 64), bits, a, n),
    )
    same(
        apply(f"shr.s{bits} {{d}}, {{0}}, {{1}};", u, a, n),
        python_integers(lambda x, k: signed(x, bits) >> min(k, 64), bits, a, n),
    )


@pytest.mark.parametrize("bits", [32, 64])
def test_bits_are_counted_reversed_and_found(bits: int) -> None:
    a = integers(bits, 12)
    b32 = np.uint32
    cases: dict[str, Callable[[int], int]] = {
        f"popc.b{bits}": int.bit_count,
        f"clz.b{bits}": lambda x: bits - x.bit_length(),
        f"bfind.u{bits}": lambda x: x.bit_length() - 1,
        f"bfind.s{bits}": lambda x: (x ^ (2**bits - 1) if x >> (bits - 1) else x).bit_length() - 1,
    }
    for name, function in cases.items():
        same(apply(f"{name} {{d}}, {{0}};", "u4", a).view(b32), python_integers(function, 32, a))
    reverse = apply(f"brev.b{bits} {{d}}, {{0}};", f"u{bits // 8}", a)
    same(reverse, python_integers(lambda x: int(f"{x:0{bits}b}"[::-1], 2), bits, a))


@pytest.mark.parametrize("bits", [32, 64])
def test_bit_fields(bits: int) -> None:
    a, b = integers(bits, 13), integers(bits, 14)
    position = RNG.choice(np.array([0, 1, 5, 31, 32, 40, 63, 64, 200, 256 + 3], np.uint32), N)
    length = RNG.choice(np.array([0, 1, 4, 16, 31, 32, 33, 64, 255, 256 + 2], np.uint32), N)

    def byte(n: int) -> int:
        return n & 255 if bits == 32 else min(n, 255)

    def extracted(x: int, p: int, n: int, is_signed: bool) -> int:  # noqa: FBT001 - as in the ISA's pseudo-code
        p, n = byte(p), byte(n)
        sign = (x >> min(p + n - 1, bits - 1)) & 1 if is_signed and n else 0
        return sum(((x >> (p + i)) & 1 if i < n and p + i < bits else sign) << i for i in range(bits))

    def inserted(x: int, y: int, p: int, n: int) -> int:
        p, n = byte(p), byte(n)
        mask = ((1 << n) - 1) << p & (2**bits - 1)
        return (y & ~mask) | (x << p & mask)

    for kind, is_signed in (("u", False), ("s", True)):
        got = apply(f"bfe.{kind}{bits} {{d}}, {{0}}, {{1}}, {{2}};", f"u{bits // 8}", a, position, length)
        same(
            got,
            python_integers(lambda x, p, n, s=is_signed: extracted(x, p, n, s), bits, a, position, length),
        )
    got = apply(f"bfi.b{bits} {{d}}, {{0}}, {{1}}, {{2}}, {{3}};", f"u{bits // 8}", a, b, position, length)
    same(got, python_integers(inserted, bits, a, b, position, length))


def test_logic_lookups_permutes_and_funnel_shifts() -> None:
    a, b, c = (integers(32, seed) for seed in (15, 16, 17))
    same(apply("and.b32 {d}, {0}, {1};", "u4", a, b), a & b)
    same(apply("or.b32 {d}, {0}, {1};", "u4", a, b), a | b)
    same(apply("xor.b32 {d}, {0}, {1};", "u4", a, b), a ^ b)
    same(apply("not.b32 {d}, {0};", "u4", a), ~a)
    same(apply("cnot.b32 {d}, {0};", "u4", a), a == 0)
    same(apply("lop3.b32 {d}, {0}, {1}, {2}, 0x96;", "u4", a, b, c), a ^ b ^ c)
    same(apply("lop3.b32 {d}, {0}, {1}, {2}, 0xCA;", "u4", a, b, c), (a & b) | (~a & c))

    def permuted(x: int, y: int, selector: int) -> int:
        pair, result = x | y << 32, 0
        for i in range(4):
            nibble = selector >> 4 * i & 15
            byte = pair >> 8 * (nibble & 7) & 255
            result |= (255 * (byte >> 7) if nibble & 8 else byte) << 8 * i
        return result

    same(apply("prmt.b32 {d}, {0}, {1}, {2};", "u4", a, b, c), python_integers(permuted, 32, a, b, c))
    for mode, limit in (("wrap", lambda n: n & 31), ("clamp", lambda n: min(n, 32))):
        left = python_integers(lambda x, y, n, f=limit: (y << 32 | x) << f(n) >> 32, 32, a, b, c)
        right = python_integers(lambda x, y, n, f=limit: (y << 32 | x) >> f(n), 32, a, b, c)
        same(apply(f"shf.l.{mode}.b32 {{d}}, {{0}}, {{1}}, {{2}};", "u4", a, b, c), left)
        same(apply(f"shf.r.{mode}.b32 {{d}}, {{0}}, {{1}}, {{2}};", "u4", a, b, c), right)


@pytest.mark.parametrize("bits", [16, 32, 64])
def test_signs_and_selections(bits: int) -> None:
    a, b = integers(bits, 18), integers(bits, 19)
    u = f"u{bits // 8}"
    same(apply(f"neg.s{bits} {{d}}, {{0}};", u, a), python_integers(lambda x: -x, bits, a))
    same(apply(f"abs.s{bits} {{d}}, {{0}};", u, a), python_integers(lambda x: abs(signed(x, bits)), bits, a))
    text = f"setp.lt.s{bits} %p, {{0}}, {{1}}; selp.b{bits} {{d}}, {{0}}, {{1}}, %p;"
    same(
        apply(text, u, a, b), python_integers(lambda x, y: min(signed(x, bits), signed(y, bits)), bits, a, b)
    )


COMPARISONS: dict[str, Callable[[Any, Any], Any]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "le": lambda a, b: a <= b,
    "gt": lambda a, b: a > b,
    "ge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("kind", ["s", "u"])
@pytest.mark.parametrize("bits", [16, 32, 64])
def test_integer_comparisons(bits: int, kind: str) -> None:
    a, b = integers(bits, 20), integers(bits, 21)
    b[::3] = a[::3]
    for name, holds in COMPARISONS.items():
        got = apply(f"setp.{name}.{kind}{bits} %p, {{0}}, {{1}}; selp.u32 {{d}}, 1, 0, %p;", "u4", a, b)
        typed = f"{'i' if kind == 's' else 'u'}{bits // 8}"
        same(got, holds(a.view(typed), b.view(typed)))


@pytest.mark.parametrize("bits", [32, 64])
def test_float_comparisons_ordered_and_unordered(bits: int) -> None:
    a, b = floats(bits, 22), floats(bits, 23)
    b[::3] = a[::3]
    either = np.isnan(a) | np.isnan(b)
    for name, holds in COMPARISONS.items():
        got = apply(f"setp.{name}.f{bits} %p, {{0}}, {{1}}; selp.u32 {{d}}, 1, 0, %p;", "u4", a, b)
        same(got, holds(a, b) & ~either)
        got = apply(f"set.{name}u.u32.f{bits} {{d}}, {{0}}, {{1}};", "u4", a, b)
        same(got, np.where(holds(a, b) | either, 0xFFFFFFFF, 0))
    same(apply(f"setp.num.f{bits} %p, {{0}}, {{1}}; selp.u32 {{d}}, 1, 0, %p;", "u4", a, b), ~either)
    same(apply(f"setp.nan.f{bits} %p, {{0}}, {{1}}; selp.u32 {{d}}, 1, 0, %p;", "u4", a, b), either)


def test_comparisons_combine_with_predicates_and_set_two() -> None:
    a, b = integers(32, 24).view(np.int32), integers(32, 25).view(np.int32)
    text = (
        "setp.lt.s32 %q, {0}, 100; setp.gt.and.s32 %p|%q, {0}, {1}, %q;"
        "selp.u32 %w0, 1, 0, %p; selp.u32 %w1, 2, 0, %q; add.u32 {d}, %w0, %w1;"
    )
    same(apply(text, "u4", a, b), ((a > b) & (a < 100)) + 2 * (~(a > b) & (a < 100)))
    text = (
        "setp.ge.s32 %p, {0}, {1}; @!%p bra L; mov.b32 {d}, 7; bra M;"
        "L: mov.b32 {d}, 9; M: @%p add.s32 {d}, {d}, 1;"
    )
    same(apply(text, "u4", a, b), np.where(a >= b, 8, 9))


FLOAT: dict[str, Callable[[Array, Array], Array]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div.rn": np.divide,
}


@pytest.mark.parametrize("bits", [32, 64])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_float_arithmetic_rounds_to_nearest(bits: int) -> None:
    a, b = floats(bits, 26), floats(bits, 27)
    for name, function in FLOAT.items():
        same(apply(f"{name}.f{bits} {{d}}, {{0}}, {{1}};", f"f{bits // 8}", a, b), function(a, b))
    same(apply(f"sqrt.rn.f{bits} {{d}}, {{0}};", f"f{bits // 8}", a), np.sqrt(a))
    same(apply(f"rcp.rn.f{bits} {{d}}, {{0}};", f"f{bits // 8}", a), np.asarray(1, a.dtype) / a)
    same(apply(f"neg.f{bits} {{d}}, {{0}};", f"f{bits // 8}", a), -a)
    same(apply(f"abs.f{bits} {{d}}, {{0}};", f"f{bits // 8}", a), abs(a))


def fused(a: float, b: float, c: float) -> float:
    """The exact value of ``a * b + c`` rounded once to double, for finite numbers."""
    exact = Fraction(a) * Fraction(b) + Fraction(c)
    return exact.numerator / exact.denominator


def test_double_precision_fma_rounds_once() -> None:
    a, b = (np.random.default_rng(seed).standard_normal(N) for seed in (28, 29))
    c = -a * b * (1 + np.random.default_rng(30).integers(0, 3, N) * 2.0**-30)
    got = apply("fma.rn.f64 {d}, {0}, {1}, {2};", "f8", a, b, c)
    same(got, np.array([fused(*row) for row in zip(a.tolist(), b.tolist(), c.tolist(), strict=True)]))


def test_a_single_precision_fma_rounds_once() -> None:
    # a * b + c lies just beside the middle of two floats; rounding to double first would reach the middle.
    a = np.full(N, 1 + 2.0**-12, np.float32)
    b = np.full(N, 1 + 2.0**-12, np.float32)
    c = np.float32(2.0) ** -np.arange(60, 60 + N).clip(60, 120).astype(np.float32)
    got = apply("fma.rn.f32 {d}, {0}, {1}, {2};", "f4", a, b, c)
    same(got, np.full(N, np.nextafter(np.float32(1 + 2.0**-11), np.float32(2)), np.float32))


@pytest.mark.parametrize(("mode", "direction"), [("rm", -math.inf), ("rp", math.inf), ("rz", 0.0)])
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_directed_roundings_bracket_the_exact_result(mode: str, direction: float) -> None:
    a, b = (np.random.default_rng(seed).standard_normal(N).astype(np.float32) for seed in (31, 32))
    for name, exact in (("add", a.astype(float) + b), ("mul", a.astype(float) * b)):
        got = apply(f"{name}.{mode}.f32 {{d}}, {{0}}, {{1}};", "f4", a, b)
        nearest = exact.astype(np.float32)
        toward = np.where(mode == "rz", 0.0, direction)
        beyond = (
            (nearest > exact)
            if mode == "rm"
            else (nearest < exact)
            if mode == "rp"
            else abs(nearest) > abs(exact)
        )
        same(got, np.where(beyond, np.nextafter(nearest, toward.astype(np.float32)), nearest))
    same(apply("add.rn.f32 {d}, {0}, {1};", "f4", a, b), a + b)


@pytest.mark.parametrize("bits", [32, 64])
def test_minimum_and_maximum_prefer_numbers_and_order_zeros(bits: int) -> None:
    a, b = floats(bits, 33), floats(bits, 34)
    a[:4], b[:4] = [0.0, -0.0, math.nan, 1.0], [-0.0, 0.0, 2.0, math.nan]
    low = apply(f"min.f{bits} {{d}}, {{0}}, {{1}};", f"f{bits // 8}", a, b)
    high = apply(f"max.f{bits} {{d}}, {{0}}, {{1}};", f"f{bits // 8}", a, b)
    assert np.signbit(low[:2]).all()
    assert not np.signbit(high[:2]).any()
    zeros = (a == 0) & (b == 0)
    same(np.where(zeros, 0, low).astype(a.dtype), np.where(zeros, 0, np.fmin(a, b)))
    same(np.where(zeros, 0, high).astype(a.dtype), np.where(zeros, 0, np.fmax(a, b)))


def test_flushing_and_saturation() -> None:
    a, b = floats(32, 35), floats(32, 36)
    tiny = np.finfo(np.float32).tiny

    def flushed(x: Array) -> Array:
        return np.where(abs(x) < tiny, np.copysign(np.float32(0), x), x)

    with np.errstate(all="ignore"):
        same(apply("add.ftz.f32 {d}, {0}, {1};", "f4", a, b), flushed(flushed(a) + flushed(b)))
        same(
            apply("mul.sat.f32 {d}, {0}, {1};", "f4", a, b),
            np.nan_to_num(np.clip(np.nan_to_num(a * b, posinf=2, neginf=-2), 0, 1)) + 0.0,
        )


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("ex2.approx.ftz.f32", np.exp2),
        ("lg2.approx.f32", np.log2),
        ("tanh.approx.f32", np.tanh),
        ("rsqrt.approx.f32", lambda x: 1 / np.sqrt(x)),
        ("sqrt.approx.f32", np.sqrt),
        ("rcp.approx.f32", lambda x: 1 / x),
    ],
)
def test_approximations_are_good_to_the_last_bit(name: str, function: Callable[[Array], Array]) -> None:
    x = np.abs(np.random.default_rng(37).standard_normal(N) * 5 + 0.01).astype(np.float32)
    got = apply(f"{name} {{d}}, {{0}};", "f4", x)
    assert np.allclose(got, function(x.astype(float)), rtol=2e-7, atol=1e-30)


@pytest.mark.parametrize("source", [32, 64])
@pytest.mark.parametrize("target", [16, 32, 64])
@pytest.mark.parametrize("kind", ["s", "u"])
def test_floats_become_integers_rounded_and_clamped(source: int, target: int, kind: str) -> None:
    x = floats(source, 38)
    low, high = (-(2 ** (target - 1)), 2 ** (target - 1) - 1) if kind == "s" else (0, 2**target - 1)
    nothing = 2 ** (target - 1) if 64 in {source, target} else 0
    for mode, rounding in (("rni", np.rint), ("rzi", np.trunc), ("rmi", np.floor), ("rpi", np.ceil)):
        got = apply(f"cvt.{mode}.{kind}{target}.f{source} {{d}}, {{0}};", f"u{target // 8}", x)
        rounded = rounding(x.astype(float))
        want = [
            nothing if math.isnan(v) else low if v < low else high if v > high else int(v)
            for v in rounded.tolist()
        ]
        same(got, np.array([v & (2**target - 1) for v in want], np.uint64))
        whole = apply(f"cvt.{mode}.f{source}.f{source} {{d}}, {{0}};", f"f{source // 8}", x)
        same(whole, rounding(x))


@pytest.mark.parametrize("source", [8, 16, 32, 64])
@pytest.mark.parametrize("kind", ["s", "u"])
def test_integers_become_floats(source: int, kind: str) -> None:
    x = integers(max(source, 16), 39)
    values = [signed(int(v) % 2**source, source) if kind == "s" else int(v) % 2**source for v in x]
    for target in (32, 64):
        got = apply(f"cvt.rn.f{target}.{kind}{source} {{d}}, {{0}};", f"f{target // 8}", x)
        same(got, np.array([np.dtype(f"f{target // 8}").type(v) for v in values]))


@pytest.mark.parametrize("source", ["s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"])
def test_integers_change_their_width(source: str) -> None:
    bits = int(source[1:])
    x = integers(max(bits, 16), 40)
    values = [signed(int(v) % 2**bits, bits) if source[0] == "s" else int(v) % 2**bits for v in x]
    for target in ("s8", "u8", "s16", "u16", "s32", "u32", "s64", "u64"):
        width = int(target[1:])
        register = max(width, 16)
        cut = [v % 2**width for v in values]
        want = [signed(v, width) if target[0] == "s" else v for v in cut]
        got = apply(f"cvt.{target}.{source} {{d}}, {{0}};", f"u{register // 8}", x)
        same(got, np.array([v % 2**register for v in want], np.uint64))
        low, high = (-(2 ** (width - 1)), 2 ** (width - 1) - 1) if target[0] == "s" else (0, 2**width - 1)
        got = apply(f"cvt.sat.{target}.{source} {{d}}, {{0}};", f"u{register // 8}", x)
        same(got, np.array([min(max(v, low), high) % 2**register for v in values], np.uint64))


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_floats_change_their_width() -> None:
    x, y = floats(64, 41), floats(32, 42)
    same(apply("cvt.rn.f32.f64 {d}, {0};", "f4", x), x.astype(np.float32))
    same(apply("cvt.f64.f32 {d}, {0};", "f8", y), y.astype(np.float64))
    same(apply("cvt.rn.f16.f32 {d}, {0};", "f2", y), y.astype(np.float16))
    down = apply("cvt.rz.f32.f64 {d}, {0};", "f4", x)
    nearest = x.astype(np.float32)
    beyond = np.abs(nearest.astype(float)) > np.abs(x)
    same(down, np.where(beyond, np.nextafter(nearest, np.float32(0)), nearest))


def test_registers_are_packed_and_unpacked() -> None:
    a, b = integers(32, 43), integers(32, 44)
    packed = apply("mov.b64 {d}, {{{0}, {1}}};", "u8", a, b)
    same(packed, a.astype(np.uint64) | b.astype(np.uint64) << np.uint64(32))
    text = "mov.b32 {{%h0, %h1}}, {0}; mov.b32 {d}, {{%h1, %h0}};"
    same(apply(text, "u4", a), (a >> 16) | (a << 16))


def test_classes_of_floats_are_distinguished() -> None:
    x = floats(32, 45)
    tiny = np.finfo(np.float32).tiny
    classes = {
        "finite": np.isfinite(x),
        "infinite": np.isinf(x),
        "number": ~np.isnan(x),
        "notanumber": np.isnan(x),
        "normal": np.isfinite(x) & ((abs(x) >= tiny) | (x == 0)),
        "subnormal": (abs(x) < tiny) & (x != 0),
    }
    for name, want in classes.items():
        same(apply(f"testp.{name}.f32 %p, {{0}}; selp.u32 {{d}}, 1, 0, %p;", "u4", x), want)


def test_a_pair_of_halves_is_one_float32_instruction() -> None:
    pairs = integers(32, 48).astype(np.uint64)
    inputs: dict[str, Any] = {"p0": pairs, "p1": pairs, "result": Out((N,), np.uint64)}
    ran = run_ptx(form("add.f16x2", "f16x2 f16x2", "f16x2").ptx, KERNEL, 1, N, inputs)
    assert ran.counters.fp32_instructions == N // 32


@pytest.mark.parametrize(
    "instruction",
    [
        "vadd.s32.s32.s32 {d}, {0}, {1};",
        "vabsdiff4.u32.u32.u32.sat {d}, {0}, {1}, {0};",
        "add.sat.u32 {d}, {0}, {1};",
        "add.u16x2 {d}, {0}, {1};",
        "mad.lo.sat.s32 {d}, {0}, {1}, {0};",
        "mad24.lo.sat.s32 {d}, {0}, {1}, {0};",
        "prmt.b32.rc32 {d}, {0}, {1}, {0};",
        "dp4a.s32.s8 {d}, {0}, {1}, {0};",
        "max.NaN.f32 {d}, {0}, {1};",
        "min.f16x2 {d}, {0}, {1};",
        "fma.rn.relu.f16x2 {d}, {0}, {1}, {0};",
        "add.rn.bf16x2 {d}, {0}, {1};",
        "ex2.approx.ftz.bf16x2 {d}, {0};",
        "set.lt.bf16x2.bf16x2 {d}, {0}, {1};",
        "cvt.rna.tf32.f32 {d}, {0};",
        "cvt.rn.f16x2.f32 {d}, {0}, {1};",
        "cvt.pack.sat.s8.s32 {d}, {0}, {1};",
    ],
)
def test_a_form_that_is_not_known_is_named_and_never_guessed(instruction: str) -> None:
    a, b = integers(32, 46), integers(32, 47)
    with pytest.raises(AssertionError, match=re.escape(f"'what': '{instruction.split(maxsplit=1)[0]}'")):
        apply(instruction, "u4", a, b)
