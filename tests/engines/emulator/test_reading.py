"""The parser reads all that NVRTC and Numba emit; other text is rejected with its line."""

import contextlib
import re
import time
from collections.abc import Callable

import numpy as np
import pytest

from grader.engines.emulator.decode.linker import link
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.ptx.parser import parse
from grader.engines.emulator.ptx.scopes import MAX_DEPTH
from grader.engines.emulator.ptx.syntax import Location, PtxError
from tools.emulator.compiling import Out, run_cuda, run_ptx

HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n"
KERNEL = HEAD + ".visible .entry k(.param .u64 out)\n{\n"


def first_word(body: str, declared: str = "") -> int:
    """The value of ``%r1`` after ``body``."""
    text = (
        HEAD
        + declared
        + ".visible .entry k(.param .u64 out) {\n.reg .b64 %rd<4>; .reg .b32 %r<9>; .reg .pred %p<3>;\n"
        + f"ld.param.u64 %rd1, [out];\n{body}\nst.global.u32 [%rd1], %r1;\nret;\n}}\n"
    )
    return int(run_ptx(text, "k", 1, 1, {"out": Out((1,), np.int32)})["out"][0])


def test_comments_may_stand_anywhere_and_hide_nothing_else() -> None:
    assert first_word("mov.u32 /* ; } */ %r1, // 1;\n 7; /* a\n b */") == 7
    files = parse(KERNEL + '.loc 1 3 1\nret;\n}\n.file 1 "/tmp//a/*/mine.cu"\n', ("mine.cu",))
    assert files.functions["k"].body[0].location == Location("mine.cu", 3)


def test_statements_may_span_lines_and_share_them() -> None:
    assert first_word("mov.u32\n\t%r1,\n 5; add.s32 %r1,%r1,%r1;") == 10


@pytest.mark.parametrize(
    ("number", "value"),
    [("0x1F", 31), ("017", 15), ("0b101", 5), ("12U", 12), ("-3", -3), ("-0x10", -16), ("0xFFFFFFFFU", -1)],
)
def test_integers_are_read_in_every_base(number: str, value: int) -> None:
    assert first_word(f"mov.u32 %r1, {number};") == value


@pytest.mark.parametrize(("number", "bits"), [("0f3F800000", 0x3F800000), ("0F40000000", 0x40000000)])
def test_floats_are_read_by_their_bits(number: str, bits: int) -> None:
    assert first_word(f"mov.f32 %r1, {number};") == bits


def test_directives_without_an_effect_on_results_are_read() -> None:
    text = (
        HEAD
        + ".weak .func (.param .b32 r) f(.param .b32 a)\n;\n.visible .entry k(.param .u64 .ptr .global .align 4 p)\n"
        + '.maxntid 128, 1, 1\n.minnctapersm 2\n{\n.pragma "nounroll; { }";\nret;\n}\n'
        + '.section .debug_info\n{\n.b32 5\n.b8 1,2\n}\n.file 1 "x.cu"\n'
    )
    module = parse(text, ())
    assert [len(f.body) for f in module.functions.values()] == [0, 1]
    assert module.functions["k"].params[0].align == 4


def test_an_alias_is_the_function_it_names() -> None:
    text = (
        HEAD
        + ".func (.param .b32 r) g() { st.param.b32 [r], 9; ret; }\n.alias f, g;\n"
        + ".visible .entry k(.param .u64 out) { .reg .b32 %r<3>; .reg .b64 %rd<3>; ld.param.u64 %rd1, [out];\n"
        + "{ .param .b32 x; call (x), f; ld.param.b32 %r1, [x]; } st.global.u32 [%rd1], %r1; ret; }"
    )
    assert run_ptx(text, "k", 1, 1, {"out": Out((1,), np.int32)})["out"][0] == 9


def test_inner_blocks_hide_registers_of_the_same_name() -> None:
    body = (
        "{ .reg .b32 t; mov.u32 t, 1; { .reg .b32 t; mov.u32 t, 2; { .reg .b32 t; mov.u32 t, 4; } "
        "add.s32 %r2, t, 0; } add.s32 %r1, %r2, t; }"
    )
    assert first_word("mov.u32 %r2, 0;" + body) == 3


def test_inner_blocks_have_register_families_of_their_own() -> None:
    body = (
        "{ .reg .b32 t<2>; mov.u32 t1, 6; mov.u32 %r1, t1; } "
        "{ .reg .b64 t<2>; mov.u64 t1, 5; cvt.u32.u64 %r2, t1; add.s32 %r1, %r1, %r2; }"
    )
    assert first_word(body) == 11


def test_a_scoped_name_is_no_part_of_a_special_register() -> None:
    assert first_word("{ .reg .b32 x; mov.u32 x, %ntid.x; mov.u32 %r1, x; }") == 1


def test_inline_assembly_may_use_a_label_twice() -> None:
    source = """
extern "C" __global__ void k(int* out) {
    int found = 0;
    for (int i = 0; i < 2; ++i)
        asm volatile("{\\n.reg .pred p;\\nsetp.gt.s32 p, %1, 4;\\n@p bra DONE;\\nadd.s32 %0, %0, 1;\\nDONE:\\n}"
                     : "+r"(found) : "r"((int)threadIdx.x));
    out[threadIdx.x] = found;
}
"""
    assert list(run_cuda(source, 1, 8, {"out": Out((8,), np.int32)})["out"]) == [2] * 5 + [0] * 3


def test_code_inlined_from_a_header_belongs_to_its_call() -> None:
    text = (
        KERNEL
        + ".loc 1 40 1\nmov.u32 %r1, 1;\n.loc 1 12 3, function_name $L0, inlined_at 1 40 1\nmov.u32 %r1, 2;\n"
        + ".loc 2 900 3, function_name $L1, inlined_at 1 12 3\nmov.u32 %r1, 3;\n"
        + ".loc 2 950 3, function_name $L2, inlined_at 2 900 3\nmov.u32 %r1, 4;\n"
        + '.loc 2 0 3, function_name $L2, inlined_at 1 40 1\nret;\n}\n.file 1 "mine.cu"\n.file 2 "/theirs.h"\n'
    )
    body = parse(text, ("mine.cu",)).functions["k"].body
    assert [ins.location and ins.location.line for ins in body] == [40, 12, 12, 12, 12]


@pytest.mark.parametrize(
    ("lines", "what"),
    [
        ("mov.u32 %r1, 1;\n?? 3;\nret;", "line 7: cannot read '?? 3'"),
        ("ret\n", "line 6: cannot read 'ret }'"),
        ("ret;\n/* never", "line 7: a comment that never ends"),
        ('ret;\n.pragma "never', "line 7: a string that never ends"),
        ("a: ret;\na: ret;", "line 7: label a is there twice"),
        (".local .b8 x[99999999999999999999];", "line 6: cannot read"),
        (".shared .f32 x[999999999999];\n", "line 6: x is too large"),
        (".reg .b32;", "line 6: cannot read '.reg .b32'"),
        ("ts: ret; .branchtargets a, b;", "line 6: no label before"),
        ("{" * (MAX_DEPTH + 1), "line 6: more than 64 blocks"),
        ("ret; {", "the text ends inside a block"),
    ],
)
def test_what_cannot_be_read_is_named_with_its_line(lines: str, what: str) -> None:
    with pytest.raises(PtxError, match=re.escape(what)):
        parse(KERNEL + lines + "\n}\n", ())


def test_a_target_or_label_that_is_not_there_is_named() -> None:
    with pytest.raises(UnsupportedError, match="unsupported-jump nowhere"):
        link(parse(KERNEL + "bra nowhere;\n}", ()), "k")


HOSTILE: dict[str, Callable[[int], str]] = {
    "opening braces": lambda n: KERNEL + "{" * n,
    "closing braces": lambda n: KERNEL + "}" * n,
    "pairs of braces": lambda n: KERNEL + "{}" * (n // 2) + "}",
    "braces within an instruction": lambda n: KERNEL + "mov.b32 " + "{" * n,
    "open comments": lambda n: KERNEL + "/*" * (n // 2),
    "comments": lambda n: KERNEL + "/**/" * (n // 4) + "ret;}",
    "open strings": lambda n: KERNEL + '"' * (n | 1),
    "blanks": lambda n: KERNEL + " " * n + "ret; }",
    "blanks in an address": lambda n: KERNEL + f"ld.global.u32 %r1, [{' ' * n}x;" + "}",
    "a long address": lambda n: KERNEL + f"ld.global.u32 %r1, [{'a+' * (n // 2)}]; }}",
    "a long word": lambda n: KERNEL + "a" * n,
    "a long number": lambda n: KERNEL + f".reg .b32 %r<2>; mov.u32 %r1, {'9' * n}; }}",
    "a long extent": lambda n: KERNEL + f".local .b8 x[{'9' * n}]; }}",
    "labels": lambda n: KERNEL + "".join(f"L{i}:\n" for i in range(n // 8)) + "ret; }",
    "instructions": lambda n: KERNEL + "ret;\n" * (n // 5) + "}",
    "jumps": lambda n: KERNEL + "L: bra L;\n" + "bra L;\n" * (n // 7) + "}",
    "registers": lambda n: KERNEL + "".join(f".reg .b32 r{i};" for i in range(n // 16)) + "}",
    "registers that are used": lambda n: (
        KERNEL + ".reg .b32 %r<9>;" + "".join(f"mov.u32 %r{i},0;" for i in range(n // 16)) + "}"
    ),
    "operands": lambda n: KERNEL + "mov.u32 " + "a," * (n // 2) + "; }",
    "blocks that declare": lambda n: KERNEL + "{.reg .b32 t; mov.u32 t,1;}" * (n // 27) + "}",
    "deep blocks": lambda n: KERNEL + "{.reg .b32 t; x:" * 60 + "bra x;\n" * (n // 7) + "}" * 61,
    "sections": lambda n: KERNEL + "ret; }\n" + ".section " * (n // 9),
    "linkage": lambda n: KERNEL + "ret; }\n" + ".visible " * (n // 18) + "{" * (n // 2),
    "lines": lambda n: KERNEL + ".loc 1 2 3\n" * (n // 11) + "ret; }",
    "lines inlined into each other": lambda n: (
        KERNEL
        + "".join(
            f".loc 1 {i + 2} 1, function_name a, inlined_at 1 {i + 1} 1\nret;\n" for i in range(n // 60)
        )
        + '}\n.file 1 "other.cu"'
    ),
    "parameters": lambda n: (
        HEAD + f".entry k({','.join(f'.param .b32 p{i}' for i in range(n // 16))}) {{ ret; }}"
    ),
    "variables": lambda n: (
        HEAD + "".join(f".global .b32 v{i};\n" for i in range(n // 18)) + ".entry k() { ret; }"
    ),
    "initial values": lambda n: HEAD + f".global .b8 v[{n}] = {{{'1,' * (n // 2)}1}};\n.entry k() {{ ret; }}",
    "shared arrays": lambda n: KERNEL + "".join(f".shared .b8 s{i};" for i in range(n // 16)) + "ret; }",
    "functions": lambda n: (
        "".join([HEAD, *(f".func f{i}() {{ ret; }}\n" for i in range(n // 20))]) + ".entry k() { ret; }"
    ),
    "a chain of calls": lambda n: (
        HEAD
        + ".func f0() { ret; }\n"
        + "".join(f".func f{i + 1}() {{ call f{i}; ret; }}\n" for i in range(n // 32))
        + f".entry k() {{ call f{n // 32}; ret; }}"
    ),
    "a ladder of calls": lambda n: (
        HEAD
        + ".func f0() { ret; }\n.func f1() { ret; }\n"
        + "".join(f".func f{i}() {{ call f{i - 1}; call f{i - 2}; ret; }}\n" for i in range(2, n // 46))
        + f".entry k() {{ call f{n // 46 - 1}; ret; }}"
    ),
    "a table of targets": lambda n: (
        KERNEL + ".reg .b32 %r<2>; L: ret; T: .branchtargets " + "L," * (n // 2) + "L; brx.idx %r1, T; }"
    ),
}
"""Texts of about ``n`` characters for which a naive parser takes quadratic time."""

_ATTEMPTS = 3
"""Attempts: load on the machine may slow down one measurement, but not all three of the longer text only."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_long_hostile_text_takes_time_by_its_length_only(name: str) -> None:
    make = HOSTILE[name]
    refused_or_linked(make(1000))  # exclude imports on first use from the measurement
    seen = []
    for _ in range(_ATTEMPTS):
        short, long = (refused_or_linked(make(size)) for size in (60_000, 480_000))
        assert long < 5, f"{long:.1f} s"
        # Eight times the text: eight times the time, with room for noise; sixty-four times would be quadratic.
        if long < 30 * max(short, 0.02):
            return
        seen.append(f"{short:.3f} s became {long:.3f} s")
    pytest.fail(", then ".join(seen))


def refused_or_linked(text: str) -> float:
    """Seconds of CPU time until ``text`` is linked or rejected."""
    start = time.process_time()
    with contextlib.suppress(PtxError, UnsupportedError, KeyError):
        link(parse(text, ("mine.cu",)), "k")
    return time.process_time() - start
