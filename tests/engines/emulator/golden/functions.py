"""Functions of CUDA C, as expressions of ``a``, ``b``, ``c`` and ``d``.

A bound is what the CUDA C++ Programming Guide ("Mathematical Functions") states relative to the true value, but at
most 3 ulp: no function differs more from the hardware's result. It applies only if the function's PTX contains an
approximate instruction. All other arithmetic is the same on a GPU and in the emulator, hence bit-exact.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from tests.engines.emulator.golden.form import Bound

_GUIDE = "CUDA C++ Programming Guide, Mathematical Functions: "
_SEEN = 3


@dataclass(frozen=True, slots=True)
class Function:
    """A C expression with operands of kinds ``ins``, converted to the type of kind ``out``."""

    expression: str
    ins: tuple[str, ...]
    out: str
    bound: Bound | None = None


_SINGLE = {
    1: "cbrtf rcbrtf expf expm1f logf log1pf log2f sinpif cospif",
    2: "rsqrtf exp2f exp10f log10f sinf cosf asinf acosf atanf coshf tanhf erff erfinvf",
    3: "sinhf asinhf atanhf",
    4: "tanf acoshf erfcf erfcinvf erfcxf",
    5: "normcdff normcdfinvf tgammaf",
    6: "lgammaf cyl_bessel_i0f cyl_bessel_i1f",
    9: "j0f j1f y0f y1f",
    0: "sqrtf ceilf floorf truncf roundf rintf nearbyintf logbf fabsf __saturatef",
}
_SINGLE_PAIRS = {
    0: "fmodf remainderf fdimf fminf fmaxf copysignf nextafterf __fadd_rn __fmul_rz __fsub_ru __fdiv_rd",
    2: "rhypotf __fdividef",
    3: "hypotf atan2f",
    4: "powf",
}
_DOUBLE = {
    0: "sqrt ceil floor trunc round rint nearbyint logb fabs",
    1: "rsqrt cbrt rcbrt exp exp2 exp10 expm1 log log2 log10 log1p cosh tanh",
    2: "sin cos tan sinpi cospi asin acos atan sinh atanh erf",
    3: "asinh acosh",
    4: "lgamma erfcx",
    5: "erfc erfinv normcdf",
    6: "erfcinv cyl_bessel_i0 cyl_bessel_i1",
    7: "j0 j1 y0 y1",
    8: "normcdfinv",
    10: "tgamma",
}
_DOUBLE_PAIRS = {
    0: "fmod remainder fdim fmin fmax copysign nextafter __dadd_rn __dmul_rz __dsub_ru __ddiv_rd",
    1: "rhypot",
    2: "hypot atan2 pow",
}
_FAST = {
    "__sinf": Bound(_GUIDE + "absolute error 2^-21.41 in [-pi, pi]", absolute=2**-21.4),
    "__cosf": Bound(_GUIDE + "absolute error 2^-21.19 in [-pi, pi]", absolute=2**-21.1),
    "__tanf": Bound(_GUIDE + "__sinf(x) / __cosf(x)", relative=2**-18, absolute=2**-19, inside=1.5),
    "__expf": Bound(_GUIDE + "2 + floor(abs(1.173 x)) ulp", ulp=_SEEN),
    "__exp10f": Bound(_GUIDE + "2 + floor(abs(2.97 x)) ulp", ulp=_SEEN),
    "__logf": Bound(_GUIDE + "3 ulp, in [0.5, 2] absolute error 2^-21.41", ulp=3, absolute=2**-21.4),
    "__log2f": Bound(_GUIDE + "2 ulp, in [0.5, 2] absolute error 2^-22", ulp=2, absolute=2**-22),
    "__log10f": Bound(_GUIDE + "3 ulp, in [0.5, 2] absolute error 2^-24", ulp=3, absolute=2**-24),
    "__frcp_rn": None,
    "__fsqrt_ru": None,
    "__frsqrt_rn": None,
}
_WORD_PAIRS = (
    *(
        "__mul24",
        "__mulhi",
        "__hadd",
        "__rhadd",
        "min",
        "max",
        "__vmins2",
        "__vmins4",
        "__vmaxs2",
        "__vmaxs4",
    ),
)
_UNSIGNED_PAIRS = ("__umul24", "__umulhi", "__uhadd", "__urhadd", "umin", "umax")
_SIMD_ONE = ("__vabs", "__vabsss", "__vneg", "__vnegss")
_SIMD_TWO = (
    *("__vabsdiffs", "__vabsdiffu", "__vadd", "__vaddss", "__vaddus", "__vavgs", "__vavgu", "__vhaddu"),
    *("__vmaxu", "__vminu", "__vsads", "__vsadu", "__vsub", "__vsubss", "__vsubus"),
    *(f"__v{kind}{name}" for kind in ("cmp", "set") for name in ("eq", "ne", "ges", "geu", "gts", "gtu")),
    *(f"__v{kind}{name}" for kind in ("cmp", "set") for name in ("les", "leu", "lts", "ltu")),
)
_HALF_ONE = (
    *("__hneg", "__habs", "hfloor", "hceil", "htrunc", "hrint", "hsqrt", "hrsqrt", "hrcp", "hexp", "hexp2"),
    *("hexp10", "hlog", "hlog2", "hlog10", "hsin", "hcos", "htanh", "htanh_approx"),
)
_HALF_TWO = (
    *("__hadd", "__hsub", "__hmul", "__hdiv", "__hadd_sat", "__hsub_sat", "__hmul_sat", "__hadd_rn"),
    *("__hsub_rn", "__hmul_rn", "__hmax", "__hmin", "__hmax_nan", "__hmin_nan"),
)
_HALF_TESTS = tuple(f"__h{name}{kind}" for kind in ("", "u") for name in ("eq", "ne", "le", "ge", "lt", "gt"))
_DIRECTIONS = ("rn", "rz", "ru", "rd")
_HALF_ULP = Bound("CUDA Math API, half precision: rounded to nearest from an approximate float", ulp=1)


def functions() -> Iterator[Function]:
    """All functions; every expression occurs once."""
    yield from _mathematics()
    yield from _words()
    yield from _conversions()
    yield from _half()


def _limit(ulp: int) -> Bound | None:
    return Bound(f"{_GUIDE}{ulp} ulp", ulp=min(ulp, _SEEN)) if ulp else None


def _mathematics() -> Iterator[Function]:
    for t, ones, twos in (("f32", _SINGLE, _SINGLE_PAIRS), ("f64", _DOUBLE, _DOUBLE_PAIRS)):
        for ulp, names in ones.items():
            yield from (Function(f"{name}(a)", (t,), t, _limit(ulp)) for name in names.split())
        for ulp, names in twos.items():
            yield from (Function(f"{name}(a, b)", (t, t), t, _limit(ulp)) for name in names.split())
    yield from (Function(f"{name}(a)", ("f32",), "f32", bound) for name, bound in _FAST.items())
    for t, f in (("f32", "f"), ("f64", "")):
        yield Function(f"fma{f}(a, b, c)", (t, t, t), t)
        yield Function(f"norm3d{f}(a, b, c)", (t, t, t), t, _limit(3))
        yield Function(f"rnorm3d{f}(a, b, c)", (t, t, t), t, _limit(2))
        yield Function(f"norm4d{f}(a, b, c, d)", (t, t, t, t), t, _limit(3))
        yield Function(f"jn{f}(2, a)", (t,), t, _limit(9))
        for name in ("ldexp", "scalbn"):
            yield Function(f"{name}{f}(a, b)", (t, "small"), t)
        yield Function(f"ilogb{f}(a)", (t,), "s32")
        yield Function(f"[&] {{ int n; return frexp{f}(a, &n) + n; }}()", (t,), t)
        yield Function(f"[&] {{ decltype(a) n; return modf{f}(a, &n) + n; }}()", (t,), t)
        yield Function(f"[&] {{ int n; remquo{f}(a, b, &n); return n & 7; }}()", (t, t), "s32")
        text = f"[&] {{ decltype(a) s, c; sincos{f}(a, &s, &c); return s + c; }}()"
        yield Function(text, (t,), t)
        for name in ("isnan", "isinf", "isfinite", "signbit"):
            yield Function(f"{name}(a) ? 1 : 0", (t,), "s32")
        for name in ("lrint", "llrint", "lround", "llround"):
            yield Function(f"{name}{f}(a)", (t,), "s64")
        yield Function("a / b", (t, t), t)
        yield Function("a * b + c", (t, t, t), t)
    yield Function(
        "__powf(a, b)", ("f32", "f32"), "f32", Bound(_GUIDE + "exp2f(y * __log2f(x))", relative=2**-13)
    )
    for direction in _DIRECTIONS:
        yield Function(f"__fmaf_{direction}(a, b, c)", ("f32", "f32", "f32"), "f32")
        yield Function(f"__fma_{direction}(a, b, c)", ("f64", "f64", "f64"), "f64")
        yield Function(f"__drcp_{direction}(a)", ("f64",), "f64")
        yield Function(f"__dsqrt_{direction}(a)", ("f64",), "f64")


def _words() -> Iterator[Function]:
    for name in _WORD_PAIRS:
        yield Function(f"{name}(a, b)", ("s32", "s32"), "s32")
    for name in _UNSIGNED_PAIRS:
        yield Function(f"{name}(a, b)", ("u32", "u32"), "u32")
    yield from _simd()
    yield from _mixed_words()
    for t in ("s64", "u64", "s32", "u32"):
        yield Function("a / (b | 1)", (t, t), t)
        yield Function("a % (b | 1)", (t, t), t)


def _simd() -> Iterator[Function]:
    for name in _SIMD_ONE:
        yield from (Function(f"{name}{lanes}(a)", ("u32",), "u32") for lanes in (2, 4))
    for name in _SIMD_TWO:
        yield from (Function(f"{name}{lanes}(a, b)", ("u32", "u32"), "u32") for lanes in (2, 4))


def _mixed_words() -> Iterator[Function]:
    for name in ("__popc", "__clz", "__ffs", "__brev", "abs"):
        yield Function(f"{name}(a)", ("s32",), "s32")
    for name in ("__popcll", "__clzll", "__ffsll", "__brevll", "llabs"):
        yield Function(f"{name}(a)", ("s64",), "s64")
    yield Function("__mul64hi(a, b)", ("s64", "s64"), "s64")
    yield Function("__umul64hi(a, b)", ("u64", "u64"), "u64")
    yield Function("__sad(a, b, c)", ("s32", "s32", "u32"), "u32")
    yield Function("__usad(a, b, c)", ("u32", "u32", "u32"), "u32")
    yield Function("__byte_perm(a, b, c)", ("u32", "u32", "u32"), "u32")
    for side in ("l", "r", "lc", "rc"):
        yield Function(f"__funnelshift_{side}(a, b, c)", ("u32", "u32", "position"), "u32")
    yield Function("__fns(a, b, c)", ("u32", "lane", "small"), "u32")
    for t in ("s32", "u32"):
        yield Function("__dp4a(a, b, c)", (t, t, t), t)
        yield Function("__dp2a_lo(a, b, c)", (t, t, t), t)
        yield Function("__dp2a_hi(a, b, c)", (t, t, t), t)
    for name in ("__viaddmax_s32", "__viaddmin_s32", "__vimax3_s32", "__vimin3_s32"):
        yield Function(f"{name}(a, b, c)", ("s32", "s32", "s32"), "s32")


def _conversions() -> Iterator[Function]:
    for direction in _DIRECTIONS:
        for target, kind in (("int", "s32"), ("uint", "u32"), ("ll", "s64"), ("ull", "u64")):
            yield Function(f"__float2{target}_{direction}(a)", ("f32",), kind)
            yield Function(f"__double2{target}_{direction}(a)", ("f64",), kind)
            yield Function(f"__{target}2float_{direction}(a)", (kind,), "f32")
        yield Function(f"__ll2double_{direction}(a)", ("s64",), "f64")
        yield Function(f"__double2float_{direction}(a)", ("f64",), "f32")
    for kind, type_ in (
        ("s32", "int"),
        ("u32", "unsigned"),
        ("s64", "long long"),
        ("u64", "unsigned long long"),
    ):
        for source in ("f32", "f64"):
            yield Function(f"({type_})a", (source,), kind)
            yield Function(f"({'float' if source == 'f32' else 'double'})a", (kind,), source)
    yield Function("(signed char)a", ("f32",), "s32")
    yield Function("(unsigned char)(int)a", ("f32",), "s32")
    yield Function("__double2hiint(a) ^ __double2loint(a)", ("f64",), "s32")
    yield Function("__hiloint2double(a, b)", ("s32", "s32"), "f64")


def _half() -> Iterator[Function]:
    for t, suffix in (("f16", ""), ("f16x2", "2")):
        for name in _HALF_ONE:
            spelled = name if not suffix else (f"{name}2" if name[0] == "_" else f"h2{name[1:]}")
            yield Function(f"{spelled}(a)", (t,), t, _HALF_ULP)
        for name in _HALF_TWO:
            base, _, mode = name[2:].partition("_")
            spelled = f"__{base}{suffix}" + (f"_{mode}" if mode else "")
            spelled = "__h2div" if spelled == "__hdiv2" else spelled
            yield Function(f"{spelled}(a, b)", (t, t), t, _HALF_ULP)
        for mode in ("", "_sat"):
            yield Function(f"__hfma{suffix}{mode}(a, b, c)", (t, t, t), t)
        for name in _HALF_TESTS:
            if suffix:
                base = name.removesuffix("u")
                spelled = f"{base}u2" if name.endswith("u") else f"{name}2"
                yield Function(f"{spelled}(a, b)", (t, t), t)
            else:
                yield Function(f"{name}(a, b) ? 1 : 0", (t, t), "s32")
    yield Function("__hcmadd(a, b, c)", ("f16x2", "f16x2", "f16x2"), "f16x2")
    yield Function("__hisnan(a) ? 1 : 0", ("f16",), "s32")
    yield Function("__half2float(a)", ("f16",), "f32")
    yield Function("__low2float(a) + __high2float(a)", ("f16x2",), "f32")
    yield Function("__lowhigh2highlow(a)", ("f16x2",), "f16x2")
    yield Function("__floats2half2_rn(a, b)", ("f32", "f32"), "f16x2")
    for direction in _DIRECTIONS:
        yield Function(f"__float2half_{direction}(a)", ("f32",), "f16")
        for target, kind in (("int", "s32"), ("uint", "u32"), ("short", "s16"), ("ll", "s64")):
            yield Function(f"__half2{target}_{direction}(a)", ("f16",), kind)
            yield Function(f"__{target}2half_{direction}(a)", (kind,), "f16")
    yield Function("__double2half(a)", ("f64",), "f16")
    for name in ("__hadd", "__hsub", "__hmul", "__hdiv"):
        yield Function(f"{name}(a, b)", ("bf16", "bf16"), "bf16", _HALF_ULP)
    yield Function("__float2bfloat16(a)", ("f32",), "bf16")
    yield Function("__bfloat162float(a)", ("bf16",), "f32")
