"""Student code may forge PTX in the process that delivers it: Grader determines resources and parameters afterwards."""

import pytest

from grader.compile.assembly import assemble
from grader.model.arguments import ArgumentMap, Passed
from grader.model.build import AssemblyRequest, BuildOutcome
from grader.model.element_types import DType
from grader.model.kernel import KernelSpec, Param
from grader.model.module import Abi, FoundKernel, PtxModule, PtxUnit
from grader.model.verdict import Verdict
from tools.messages import english

FILL = KernelSpec(name="fill", params=(Param.parse("float32 y[n]"), Param.parse("int32 n")))
PTX = """\
.version 8.0
.target sm_75
.address_size 64
{top}
.visible .entry fill({params})
{{
.reg .pred %p<2>;
.reg .b32 %r<4>;
.reg .b64 %d<4>;
{body}
ret;
}}
"""
PARAMS = ".param .u64 y, .param .u32 n"
ATOMIC = "red.global.add.u32 [%d1], 1;"


def assembled(
    ptx: str,
    *,
    forbid: tuple[str, ...] = (),
    symbol: str = "fill",
    max_registers: int | None = None,
    arguments: ArgumentMap | None = None,
) -> BuildOutcome:
    kernel = FoundKernel(name="fill", symbol=symbol, unit=0, abi=Abi.C, arguments=arguments)
    unit = PtxUnit(name="mine.cu", ptx=ptx, max_registers=max_registers)
    module = PtxModule(units=(unit,), kernels=(kernel,), user_files=("mine.cu",))
    return assemble(AssemblyRequest(module=module, kernels=(FILL,), arch="sm_75", forbid=forbid))


def ptx(*, top: str = "", params: str = PARAMS, body: str = "") -> str:
    return PTX.format(top=top, params=params, body=body)


def refusal(outcome: BuildOutcome) -> str:
    assert outcome.module is None
    assert outcome.fault is not None
    assert outcome.fault.verdict is Verdict.FAILED_TO_BUILD
    return english(outcome.fault.reason)


def test_resources_are_the_assemblers_own() -> None:
    outcome = assembled(
        ptx(top=".shared .align 4 .b8 tile[4096];", body="mov.u64 %d1, tile; st.u64 [%d1], %d1;")
    )
    assert outcome.module is not None
    assert outcome.module.kernel("fill").resources.shared_bytes == 4096
    assert outcome.module.units[0].cubins["sm_75"].startswith(b"\x7fELF")


def test_a_kernel_that_is_not_there_has_failed_to_build() -> None:
    assert "not in its compiled code" in refusal(assembled(ptx(), symbol="elsewhere"))


@pytest.mark.parametrize(
    "params",
    [
        ".param .u64 y",
        ".param .u64 y, .param .u64 n",
        ".param .u64 y, .param .u32 n, .param .u64 more",
        ".param .align 8 .b8 y[4096], .param .u32 n",
    ],
)
def test_a_kernel_with_unexpected_parameters_is_not_launched(params: str) -> None:
    assert "other parameters" in refusal(assembled(ptx(params=params)))


@pytest.mark.parametrize(
    "passed",
    [
        (Passed(source=0, dtype=DType.FLOAT32), Passed(source=2, dtype=DType.INT32)),
        (Passed(source=0, dtype=DType.FLOAT32), Passed(source=-1, dtype=DType.INT32)),
        (Passed(source=0, dtype=DType.FLOAT32), Passed(source=1, dtype=DType.FLOAT32)),
        (Passed(source=0, dtype=DType.FLOAT32), Passed(source=1, dtype=DType.INT64)),
        (Passed(source=1, dtype=DType.INT32), Passed(source=0, dtype=DType.FLOAT32)),
        (Passed(source=0, dtype=DType.FLOAT32),) * 100_000,
        (),
    ],
    ids=["no such", "negative", "another type", "another width", "swapped", "too many", "none"],
)
def test_forged_arguments_are_not_launched(passed: tuple[Passed, ...]) -> None:
    assert "other parameters" in refusal(assembled(ptx(), arguments=ArgumentMap(passed=passed)))


def test_a_comment_or_a_string_does_not_stand_in_for_the_kernel() -> None:
    decoy = f".entry fill({PARAMS}) {{ }}"
    for top in (f"// {decoy}", f"/* {decoy} */", f'.file 1 "{decoy}"'):
        assert "other parameters" in refusal(assembled(ptx(top=top, params=".param .u64 y")))


@pytest.mark.parametrize(
    "text",
    [
        '#include "/etc/passwd"',
        '.incbin "/etc/passwd"',
        '.include "/etc/passwd"',
        '.pragma "include /etc/passwd";',
        "\0",
    ],
)
def test_nothing_is_read_from_the_disk(text: str) -> None:
    reason = refusal(assembled(ptx(top=text)))
    assert "root:" not in reason


def test_the_file_a_line_claims_to_be_from_is_not_opened() -> None:
    top = '.file 1 "/etc/passwd"'
    outcome = assembled(ptx(top=top, body=".loc 1 4294967295 1"))
    assert outcome.module is not None
    assert b"root:" not in outcome.module.units[0].cubins["sm_75"]


@pytest.mark.parametrize(
    "body",
    [
        ATOMIC,
        f"mov.u32 %r1, 0; {ATOMIC}",
        f"setp.eq.u32 %p1, 0, 0; @%p1 {ATOMIC}",
        f"{{ {ATOMIC} }}",
        f"L: {ATOMIC}",
        f"/* hidden */ {ATOMIC}",
        f".reg .pred p; setp.eq.u32 p, 0, 0; @p\n{ATOMIC}",
        f".reg .pred p; setp.eq.u32 p, 0, 0; @ ! p {ATOMIC}",
        f".loc 1 6 1 {ATOMIC}",
        f".loc 1 6 1{ATOMIC}",
        f".loc 1 6 0x1{ATOMIC}",
        f'.pragma "hidden\n"; {ATOMIC} .pragma "nounroll";',
        f'.pragma "hidden\\"; {ATOMIC} .pragma "nounroll";',
        ATOMIC.replace(".global", " .global"),
        ATOMIC.replace(".global", "/* hidden */.global"),
    ],
)
def test_a_forbidden_instruction_is_found_wherever_it_is_put(body: str) -> None:
    text = ptx(top='.file 1 "mine.cu"', body=body)
    assert assembled(text).module is not None
    assert "atomics" in refusal(assembled(text, forbid=("atomics",)))


@pytest.mark.parametrize(
    "operation",
    [
        "red.global.add.f32 [%d1], 0f3F800000",
        "red.global.f32.add [%d1], 0f3F800000",
        "red.add .f32\n.global [%d1], 0f3F800000",
        "atom.acq_rel.gpu.global.add.noftz.f16x2 %r1, [%d1], %r1",
        "atom.global.exch.b32 %r1, [%d1], %r1",
        "atom.global.cas.b32 %r1, [%d1], %r1, %r1",
    ],
)
def test_float_atomics_are_found_in_every_spelling(operation: str) -> None:
    assert "float-atomics" in refusal(assembled(ptx(body=f"{operation};"), forbid=("float-atomics",)))


def test_a_name_like_an_instruction_is_none() -> None:
    top = ".func red() { ret; } .global .f32 atom;"
    body = "call red, (); ld.global.b32 %r1, [atom];"
    assert assembled(ptx(top=top, body=body), forbid=("atomics",)).module is not None


def test_a_forbidden_instruction_in_any_kernel_is_found() -> None:
    other = ".visible .entry other() { ret; }"
    assert "atomics" in refusal(assembled(ptx(top=other, body=ATOMIC), forbid=("atomics",)))


@pytest.mark.parametrize("registers", [-1, 0, 1, 10**9])
def test_an_absurd_cap_on_registers_breaks_nothing(registers: int) -> None:
    assert assembled(ptx(), max_registers=registers).module is not None


@pytest.mark.parametrize("text", ["", "\ud7ff" * 10, ".entry", ".entry fill(", "{" * 10_000, "/*" * 10_000])
def test_what_is_no_ptx_is_the_students_failure(text: str) -> None:
    assert refusal(assembled(text))
