"""Forms of integer arithmetic and of operations on bits and words."""

from collections.abc import Iterator

from tests.engines.emulator.golden.form import Form, form

_TYPES = ("s16", "u16", "s32", "u32", "s64", "u64")
_WORDS = ("s32", "u32", "s64", "u64")
_TWICE = {"s16": "s32", "u16": "u32", "s32": "s64", "u32": "u64"}


def integer_forms() -> Iterator[Form]:
    """All forms of this module."""
    yield from _arithmetic()
    yield from _carries()
    yield from _dot_products()
    yield from _bits()
    yield from _words()
    yield from _registers()


def _arithmetic() -> Iterator[Form]:
    for t in _TYPES:
        for name in ("add", "sub", "mul.lo", "mul.hi", "div", "rem", "min", "max"):
            yield form(f"{name}.{t}", f"{t} {t}", t)
        for name in ("mad.lo", "mad.hi", "sad"):
            yield form(f"{name}.{t}", f"{t} {t} {t}", t)
        if t[0] == "s":
            yield form(f"abs.{t}", t, t)
            yield form(f"neg.{t}", t, t)
    for t, wide in _TWICE.items():
        yield form(f"mul.wide.{t}", f"{t} {t}", wide)
        yield form(f"mad.wide.{t}", f"{t} {t} {wide}", wide)
    for t in ("s32", "u32"):
        for half in ("lo", "hi"):
            yield form(f"mul24.{half}.{t}", f"{t} {t}", t)
            yield form(f"mad24.{half}.{t}", f"{t} {t} {t}", t)
    for name in ("add.sat.s32", "sub.sat.s32"):
        yield form(name, "s32 s32", "s32")
    for name in ("mad.hi.sat.s32", "mad24.hi.sat.s32"):
        yield form(name, "s32 s32 s32", "s32")


def _carries() -> Iterator[Form]:
    """Forms of carry chains. Each ends by adding the carry to a visible result."""
    for t in _WORDS:
        four, three = f"{t} {t} {t} {t}", f"{t} {t} {t}"
        for name in ("add", "sub"):
            chain = f"{name}.cc.{t} {{d}}, {{0}}, {{1}}; {name}c.{t} {{d}}, {{2}}, {{3}};"
            yield form(chain, four, t, name=f"{name}.cc+{name}c.{t}")
            chain = (
                f"{name}.cc.{t} {{d}}, {{0}}, {{1}}; {name}c.cc.{t} {{d}}, {{2}}, {{3}};"
                f"{name}c.{t} {{d}}, 100, 0;"
            )
            yield form(chain, four, t, name=f"{name}.cc+{name}c.cc.{t}")
        for half in ("lo", "hi"):
            text = f"mad.{half}.cc.{t} {{d}}, {{0}}, {{1}}, {{2}}; addc.{t} {{d}}, {{d}}, {{0}};"
            yield form(text, three, t, name=f"mad.{half}.cc.{t}")
            text = f"add.cc.{t} {{d}}, {{0}}, {{1}}; madc.{half}.{t} {{d}}, {{1}}, {{2}}, {{3}};"
            yield form(text, four, t, name=f"madc.{half}.{t}")
            text = (
                f"add.cc.{t} {{d}}, {{0}}, {{1}}; madc.{half}.cc.{t} {{d}}, {{1}}, {{2}}, {{3}};"
                f"addc.{t} {{d}}, {{d}}, 5;"
            )
            yield form(text, four, t, name=f"madc.{half}.cc.{t}")


def _dot_products() -> Iterator[Form]:
    for a in ("s32", "u32"):
        for b in ("s32", "u32"):
            out = "u32" if a == b == "u32" else "s32"
            for name in ("dp4a", "dp2a.lo", "dp2a.hi"):
                yield form(f"{name}.{a}.{b}", f"{a} {b} {out}", out)


def _bits() -> Iterator[Form]:
    for t in ("b16", "b32", "b64"):
        for name in ("and", "or", "xor"):
            yield form(f"{name}.{t}", f"{t} {t}", t)
        for name in ("not", "cnot"):
            yield form(f"{name}.{t}", t, t)
        yield form(f"shl.{t}", f"{t} position", t)
        yield form(f"shl.{t} {{d}}, {{0}}, 5;", t, t, name=f"shl.{t} by 5")
        for kind in "sub":
            yield form(f"shr.{kind}{t[1:]}", f"{kind}{t[1:]} position", t)
    for t in ("b32", "b64"):
        yield form(f"popc.{t}", t, "u32")
        yield form(f"clz.{t}", t, "u32")
        yield form(f"brev.{t}", t, t)
        yield form(f"bfi.{t}", f"{t} {t} position position", t)
    for t in _WORDS:
        yield form(f"bfind.{t}", t, "u32")
        yield form(f"bfind.shiftamt.{t}", t, "u32")
        yield form(f"bfe.{t}", f"{t} position position", t)
    for name in ("and", "or", "xor"):
        text = f"setp.lt.s32 %p, {{0}}, {{1}}; setp.lt.u32 %q, {{0}}, {{1}}; {name}.pred %p, %p, %q;"
        yield form(text, "s32 s32", "pred", name=f"{name}.pred")
    yield form("setp.lt.s32 %p, {0}, {1}; not.pred %p, %p;", "s32 s32", "pred", name="not.pred")
    yield form("fns.b32", "b32 lane small", "b32")
    for mode in ("clamp", "wrap"):
        yield form(f"bmsk.{mode}.b32", "position position", "b32")
        for t in ("s32", "u32"):
            yield form(f"szext.{mode}.{t}", f"{t} position", t)


def _words() -> Iterator[Form]:
    for side in "lr":
        for mode in ("clamp", "wrap"):
            yield form(f"shf.{side}.{mode}.b32", "b32 b32 position", "b32")
    for table in (0x96, 0xCA, 0xE8, 0x01, 0x7F, 0x3C):
        yield form(
            f"lop3.b32 {{d}}, {{0}}, {{1}}, {{2}}, {table};",
            "b32 b32 b32",
            "b32",
            name=f"lop3.b32 {table:#x}",
        )
    for combine in ("and", "or"):
        text = (
            f"setp.lt.s32 %q, {{0}}, {{1}}; lop3.{combine}.b32 %w0|%p, {{0}}, {{1}}, {{2}}, 0xCA, %q;"
            "selp.u32 %w1, 77, 0, %p; add.u32 {d}, %w0, %w1;"
        )
        yield form(text, "b32 b32 b32", "b32", name=f"lop3.{combine}.b32")
    yield form("prmt.b32", "b32 b32 b32", "b32")
    for mode in ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16"):
        yield form(f"prmt.b32.{mode}", "b32 b32 b32", "b32")


def _registers() -> Iterator[Form]:
    yield form("mov.b32 {d}, {{{0}, {1}}};", "b16 b16", "b32", name="mov.b32 pack")
    yield form("mov.b64 {d}, {{{0}, {1}}};", "b32 b32", "b64", name="mov.b64 pack")
    yield form("mov.b64 {d}, {{{0}, {1}, {2}, {3}}};", "b16 b16 b16 b16", "b64", name="mov.b64 pack four")
    yield form("mov.b32 {{%h0, %h1}}, {0}; mov.b32 {d}, {{%h1, %h0}};", "b32", "b32", name="mov.b32 unpack")
    yield form("mov.b64 {{%w0, %w1}}, {0}; mov.b64 {d}, {{%w1, %w0}};", "b64", "b64", name="mov.b64 unpack")
    text = "mov.b64 {{%h0, %h1, %h2, %h3}}, {0}; mov.b64 {d}, {{%h3, %h0, %h2, %h1}};"
    yield form(text, "b64", "b64", name="mov.b64 unpack four")
