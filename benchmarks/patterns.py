"""Single accesses of one warp, for the emulator's counting rules to be held against a profiler's counters.

Each pattern becomes a kernel with the one access under test written in PTX, so that no compiler merges, widens or drops
it. An address is a C expression of ``lane``, in bytes from the start of a 16 KiB buffer that is aligned to 256 bytes.
"""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from grader.compile import build
from grader.model.build import BuildOutcome, BuildRequest
from grader.model.kernel import KernelSpec, Param
from grader.model.module import DeviceModule
from grader.model.plan import Buffer, Dim3, Launch, LaunchPlan, LaunchShape, Role
from grader.model.run import LaunchJob
from grader.model.submission import Language, SourceFile
from tools.messages import english

WORDS = 4096
"""Elements of each buffer: unsigned integers of 32 bits."""


class Access(StrEnum):
    """What the access does."""

    LOAD = "load"
    STORE = "store"
    ATOMIC = "atomic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """``width`` bytes per lane at ``address``, by the lanes for which ``active`` holds."""

    space: str
    access: Access
    width: int
    words: str
    address: str
    active: str = "true"

    @property
    def name(self) -> str:
        """What it is, in words."""
        return f"{self.space} {self.access}, {self.width} bytes, {self.words}"


_SCATTERED = [
    (Access.LOAD, 4, f"every {stride} words", f"lane * {4 * stride}") for stride in (2, 3, 4, 8, 32)
]

_GLOBAL = [
    (Access.LOAD, 4, "side by side", "lane * 4"),
    *_SCATTERED,
    *((Access.LOAD, 4, f"a row shifted by {by} bytes", f"lane * 4 + {by}") for by in (4, 16, 28, 32, 100)),
    (Access.LOAD, 4, "one address", "0"),
    (Access.LOAD, 4, "two addresses, 64 bytes apart", "lane % 2 * 64"),
    (Access.LOAD, 4, "backwards", "(31 - lane) * 4"),
    (Access.LOAD, 4, "permuted", "lane * 5 % 32 * 4"),
    (Access.LOAD, 4, "two rows of 16, 512 bytes apart", "lane / 16 * 512 + lane % 16 * 4"),
    (Access.LOAD, 1, "side by side", "lane"),
    (Access.LOAD, 1, "shifted by 17", "lane + 17"),
    (Access.LOAD, 1, "every 33 bytes", "lane * 33"),
    (Access.LOAD, 2, "side by side", "lane * 2"),
    (Access.LOAD, 2, "every 32 bytes", "lane * 32"),
    (Access.LOAD, 8, "side by side", "lane * 8"),
    (Access.LOAD, 8, "shifted by 8", "lane * 8 + 8"),
    (Access.LOAD, 8, "shifted by 24", "lane * 8 + 24"),
    (Access.LOAD, 8, "every other", "lane * 16"),
    (Access.LOAD, 8, "one address", "0"),
    (Access.LOAD, 8, "pairs share", "lane / 2 * 8"),
    (Access.LOAD, 8, "the halves share", "lane % 16 * 8"),
    (Access.LOAD, 8, "permuted", "lane * 7 % 32 * 8"),
    (Access.LOAD, 16, "side by side", "lane * 16"),
    (Access.LOAD, 16, "shifted by 16", "lane * 16 + 16"),
    (Access.LOAD, 16, "every other", "lane * 32"),
    (Access.LOAD, 16, "one address", "0"),
    (Access.LOAD, 16, "fours share", "lane / 4 * 16"),
    (Access.LOAD, 16, "the quarters share", "lane % 8 * 16"),
    (Access.LOAD, 16, "permuted", "lane * 11 % 32 * 16"),
    (Access.STORE, 4, "side by side", "lane * 4"),
    (Access.STORE, 4, "shifted by 28", "lane * 4 + 28"),
    (Access.STORE, 4, "every 32 words", "lane * 128"),
    (Access.STORE, 4, "one address", "0"),
    (Access.STORE, 1, "side by side", "lane"),
    (Access.STORE, 8, "side by side", "lane * 8"),
    (Access.STORE, 8, "the halves share", "lane % 16 * 8"),
    (Access.STORE, 16, "side by side", "lane * 16"),
    (Access.STORE, 16, "shifted by 16", "lane * 16 + 16"),
    (Access.STORE, 16, "every other", "lane * 32"),
    (Access.ATOMIC, 4, "side by side", "lane * 4"),
    (Access.ATOMIC, 4, "one address", "0"),
    (Access.ATOMIC, 4, "every 32 words", "lane * 128"),
]

_GLOBAL_PARTIAL = [
    (Access.LOAD, 4, "side by side", "lane * 4", "lower half", "lane < 16"),
    (Access.LOAD, 4, "side by side", "lane * 4", "even lanes", "lane % 2 == 0"),
    (Access.LOAD, 4, "side by side", "lane * 4", "one lane", "lane == 13"),
    (Access.LOAD, 8, "side by side", "lane * 8", "lower half", "lane < 16"),
    (Access.LOAD, 16, "side by side", "lane * 16", "lower half", "lane < 16"),
    (Access.LOAD, 16, "side by side", "lane * 16", "odd lanes", "lane % 2 == 1"),
    (Access.STORE, 16, "side by side", "lane * 16", "every eighth lane", "lane % 8 == 0"),
]

_SHARED = [
    *((Access.LOAD, 4, f"every {n} words", f"lane * {4 * n}") for n in (1, 2, 3, 4, 8, 16, 31, 32, 33)),
    (Access.LOAD, 4, "one address", "0"),
    (Access.LOAD, 4, "pairs share", "lane / 2 * 4"),
    (Access.LOAD, 4, "two words of one bank", "lane % 2 * 128"),
    (Access.LOAD, 4, "permuted", "lane * 5 % 32 * 4"),
    (Access.LOAD, 4, "two rows of 16, 16 banks apart", "lane / 16 * 64 + lane % 16 * 4"),
    (Access.LOAD, 4, "a tile's column, pitch 17 words", "lane % 16 * 68 + lane / 16 * 4"),
    (Access.LOAD, 1, "side by side", "lane"),
    (Access.LOAD, 1, "every 4 bytes", "lane * 4"),
    (Access.LOAD, 2, "every 64 words", "lane * 256"),
    *((Access.LOAD, 8, f"every {n} elements", f"lane * {8 * n}") for n in (1, 2, 3, 4, 16, 17)),
    (Access.LOAD, 8, "one address", "0"),
    (Access.LOAD, 8, "pairs share", "lane / 2 * 8"),
    (Access.LOAD, 8, "the halves share", "lane % 16 * 8"),
    (Access.LOAD, 8, "even lanes share, odd lanes share", "lane % 2 * 8"),
    (Access.LOAD, 8, "permuted", "lane * 7 % 32 * 8"),
    (Access.LOAD, 8, "the halves swapped in turns", "(lane % 2 * 16 + lane / 2) * 8"),
    *((Access.LOAD, 16, f"every {n} elements", f"lane * {16 * n}") for n in (1, 2, 3, 4, 5, 8, 9)),
    (Access.LOAD, 16, "one address", "0"),
    (Access.LOAD, 16, "pairs share", "lane / 2 * 16"),
    (Access.LOAD, 16, "fours share", "lane / 4 * 16"),
    (Access.LOAD, 16, "the quarters share", "lane % 8 * 16"),
    (Access.LOAD, 16, "the halves share", "lane % 16 * 16"),
    (Access.LOAD, 16, "permuted", "lane * 11 % 32 * 16"),
    (Access.LOAD, 16, "two rows of 36 words", "lane / 16 * 144"),
    *((Access.STORE, 4, f"every {n} words", f"lane * {4 * n}") for n in (1, 2, 32, 33)),
    (Access.STORE, 4, "one address", "0"),
    *((Access.STORE, 8, f"every {n} elements", f"lane * {8 * n}") for n in (1, 2, 17)),
    (Access.STORE, 8, "the halves share", "lane % 16 * 8"),
    *((Access.STORE, 16, f"every {n} elements", f"lane * {16 * n}") for n in (1, 2, 4, 5)),
    (Access.STORE, 16, "one address", "0"),
    (Access.ATOMIC, 4, "every 1 words", "lane * 4"),
    (Access.ATOMIC, 4, "every 32 words", "lane * 128"),
    (Access.ATOMIC, 4, "one address", "0"),
    (Access.ATOMIC, 4, "pairs share", "lane / 2 * 4"),
]

_SHARED_PARTIAL = [
    (Access.LOAD, 4, "every 32 words", "lane * 128", "lower half", "lane < 16"),
    (Access.LOAD, 4, "every 2 words", "lane * 8", "even lanes", "lane % 2 == 0"),
    (Access.LOAD, 8, "side by side", "lane * 8", "lower half", "lane < 16"),
    (Access.LOAD, 8, "side by side", "lane * 8", "even lanes", "lane % 2 == 0"),
    (Access.LOAD, 8, "side by side", "lane * 8", "one lane", "lane == 13"),
    (Access.LOAD, 16, "side by side", "lane * 16", "lower half", "lane < 16"),
    (Access.LOAD, 16, "side by side", "lane * 16", "every fourth lane", "lane % 4 == 0"),
    (Access.LOAD, 16, "side by side", "lane * 16", "one lane", "lane == 13"),
    (Access.STORE, 16, "side by side", "lane * 16", "odd lanes", "lane % 2 == 1"),
]

PATTERNS = tuple(
    [
        Pattern(space=space, access=access, width=width, words=words, address=address)
        for space, table in (("global", _GLOBAL), ("shared", _SHARED))
        for access, width, words, address in table
    ]
    + [
        Pattern(
            space=space, access=access, width=width, words=f"{words}, {who}", address=address, active=active
        )
        for space, partial in (("global", _GLOBAL_PARTIAL), ("shared", _SHARED_PARTIAL))
        for access, width, words, address, who, active in partial
    ]
)

_TYPES = {1: "u8", 2: "u16", 4: "u32", 8: "v2.u32", 16: "v4.u32"}

_PARAMS = (Param.parse("const uint32 in[words]"), Param.parse("uint32 out[words]"))


def module_of_patterns(arch: str) -> DeviceModule:
    """Every pattern as a kernel ``pattern_0``, ``pattern_1`` and so on, with a cubin for ``arch``.

    Raises: ``ValueError`` with the compiler's words where one does not build.
    """
    names = [_kernel_name(index) for index in range(len(PATTERNS))]
    text = "\n".join(_source(name, pattern) for name, pattern in zip(names, PATTERNS, strict=True))
    outcome = build(
        BuildRequest(
            language=Language.CUDA_C,
            files=(SourceFile(name="patterns.cu", data=text.encode()),),
            kernels=tuple(KernelSpec(name=name, params=_PARAMS) for name in names),
            arch=arch,
        )
    )
    if outcome.module is None or outcome.problems:
        raise ValueError(_problem(outcome))
    return outcome.module


def pattern_work(module: DeviceModule, index: int) -> LaunchJob:
    """One warp of pattern number ``index``."""
    buffers = tuple(
        Buffer(
            name=param.name, dtype=param.dtype, shape=(WORDS,), role=Role.INPUT if param.const else Role.INOUT
        )
        for param in _PARAMS
    )
    shape = LaunchShape(grid=Dim3(), block=Dim3(x=32))
    launch = Launch(kernel=_kernel_name(index), shape=shape, args=("in", "out"))
    zeros = np.zeros(WORDS, np.uint32).tobytes()
    return LaunchJob(
        module=module,
        plan=LaunchPlan(buffers=buffers, launches=(launch,)),
        inputs={"in": zeros, "out": zeros},
    )


def _kernel_name(index: int) -> str:
    return f"pattern_{index}"


def _problem(outcome: BuildOutcome) -> str:
    faults = [outcome.fault] if outcome.fault else list(outcome.problems.values())
    return "; ".join(english(fault.reason) for fault in faults)


def _source(name: str, pattern: Pattern) -> str:
    shared = pattern.space == "shared"
    base = "in" if pattern.access is Access.LOAD else "out"
    start = "(unsigned)__cvta_generic_to_shared(tile)" if shared else f"(unsigned long long){base}"
    tile = f"    __shared__ __align__(256) unsigned tile[{WORDS}];\n" if shared else ""
    return f"""
extern "C" __global__ void {name}(const unsigned *in, unsigned *out)
{{
{tile}    const unsigned lane = threadIdx.x;
    if ({pattern.active}) {{
        {_statement(pattern, f"{start} + ({pattern.address})", "r" if shared else "l")}
    }}
}}
"""


def _statement(pattern: Pattern, address: str, register: str) -> str:
    space, kind = pattern.space, _TYPES[pattern.width]
    count = max(1, pattern.width // 4)
    if pattern.access is Access.ATOMIC:
        return f'asm volatile("red.{space}.add.u32 [%0], 1;" : : "{register}"({address}) : "memory");'
    operands = ", ".join(f"%{index}" for index in range(count))
    operands = f"{{{operands}}}" if count > 1 else operands
    if pattern.access is Access.LOAD:
        names = [f"x{index}" for index in range(count)]
        outputs = ", ".join(f'"=r"({name})' for name in names)
        return (
            f'unsigned {", ".join(names)}; asm volatile("ld.{space}.{kind} {operands}, [%{count}];" : {outputs}'
            f' : "{register}"({address}) : "memory"); out[lane] = {" ^ ".join(names)};'
        )
    inputs = ", ".join(['"r"(lane)'] * count)
    return (
        f'asm volatile("st.{space}.{kind} [%{count}], {operands};" : : {inputs}, "{register}"({address})'
        ' : "memory");'
    )
