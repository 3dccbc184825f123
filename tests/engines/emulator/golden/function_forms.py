"""CUDA C functions as forms. ``build_functions`` compiles their PTX, stored so that recordings stay valid."""

import json
import lzma
import re
from collections.abc import Iterator
from pathlib import Path

from tests.engines.emulator.golden.form import KERNEL, Form
from tests.engines.emulator.golden.functions import Function, functions

ARCHIVE = Path(__file__).with_name("functions.json.xz")
"""Archive of PTX by form name."""

_TYPES = {
    "f16": "__half",
    "f16x2": "__half2",
    "bf16": "__nv_bfloat16",
    "f32": "float",
    "f64": "double",
    "s16": "short",
    "s32": "int",
    "u32": "unsigned",
    "s64": "long long",
    "u64": "unsigned long long",
    "lane": "unsigned",
    "small": "int",
    "position": "unsigned",
}
_APPROXIMATE = re.compile(r"\.(approx|full)\b")
_SOURCE = """
{headers}
typedef unsigned long long word;
extern "C" __global__ void {kernel}({parameters}, word *result)
{{
    int i = threadIdx.x;
    {loads}
    {type} r = {expression};
    word w = 0;
    memcpy(&w, &r, sizeof r);
    result[i] = w;
}}
"""


def function_forms() -> Iterator[Form]:
    """The form of every function. Raises: ``KeyError`` if its PTX is not in the archive."""
    built: dict[str, str] = json.loads(lzma.decompress(ARCHIVE.read_bytes()))
    for function in functions():
        ptx = built[name_of(function)]
        bound = function.bound if _APPROXIMATE.search(ptx) else None
        yield Form(name_of(function), function.ins, function.out, ptx, bound)


def name_of(function: Function) -> str:
    """The form's name; an expression may occur for several types."""
    return f"{function.expression}: {', '.join(function.ins)}"


def source_of(function: Function) -> str:
    """CUDA C of a kernel that computes ``function`` for every operand."""
    parameters = [f"const word *p{i}" for i in range(len(function.ins))]
    loads = [
        f"{_TYPES[kind]} {'abcd'[i]}; memcpy(&{'abcd'[i]}, p{i} + i, sizeof {'abcd'[i]});"
        for i, kind in enumerate(function.ins)
    ]
    half = {"f16": "cuda_fp16.h", "f16x2": "cuda_fp16.h", "bf16": "cuda_bf16.h"}
    headers = sorted({half[kind] for kind in (*function.ins, function.out) if kind in half})
    return _SOURCE.format(
        headers="\n".join(f"#include <{header}>" for header in headers),
        kernel=KERNEL,
        parameters=", ".join(parameters),
        loads="\n    ".join(loads),
        type=_TYPES[function.out],
        expression=function.expression,
    )
