"""PTX text is parsed into functions, variables and lines."""

import pytest

from grader.compile.mangled_names import variable_name
from grader.engines.emulator.decode.linker import link
from grader.engines.emulator.decode.program import UnsupportedError
from grader.engines.emulator.display_names import shared_array_name, thread_of_block
from grader.engines.emulator.ptx.parser import parse, split_operands, type_bytes
from grader.engines.emulator.ptx.syntax import Location, PtxError
from grader.model.plan import Dim3, LaunchShape
from grader.model.reason import reason
from tools.emulator.compiling import CUDA_FILE, ptx_of

HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n"


def test_operands_are_split_outside_brackets_only() -> None:
    assert split_operands("{%f1, %f2}, [%rd1+4]") == ("{%f1, %f2}", "[%rd1+4]")
    assert split_operands("(a), f, (b, c)") == ("(a)", "f", "(b, c)")
    assert split_operands("") == ()


@pytest.mark.parametrize(("name", "size"), [("f32", 4), ("b8", 1), ("u64", 8), ("f16x2", 4)])
def test_types_have_sizes(name: str, size: int) -> None:
    assert type_bytes(name) == size


def test_a_type_without_a_size_is_no_ptx() -> None:
    with pytest.raises(PtxError, match="pred"):
        type_bytes("pred")


def test_variables_keep_space_alignment_size_and_values() -> None:
    text = (
        HEAD
        + ".const .align 4 .b8 t[4] = {1, 2, 3, 4};\n.visible .global .align 8 .u64 p = generic(t);\n"
        + ".extern .shared .align 16 .b8 d[];\n.shared .f32 m[3][5];\n"
    )
    variables = parse(text, ()).variables
    assert (variables["t"].space, variables["t"].align, variables["t"].count) == ("const", 4, 4)
    assert variables["t"].initial == ("1", "2", "3", "4")
    assert variables["p"].initial == ("generic(t)",)
    assert (variables["d"].count, variables["d"].align) == (None, 16)
    assert (variables["m"].count, variables["m"].align) == (15, 4)


def test_names_of_inner_scopes_stay_apart() -> None:
    text = (
        HEAD
        + ".entry k() { .reg .b32 %r<3>; { .reg .b32 x; mov.u32 x, 1; } { .reg .b32 x; mov.u32 x, 2; } ret; }"
    )
    first, second, _ = parse(text, ()).functions["k"].body
    assert first.operands[0] != second.operands[0]


def test_inline_assembly_may_omit_the_space_before_a_type() -> None:
    function = parse(HEAD + ".entry k() { {.reg.b16 h; mov.b16 h, 1;} ret; }", ()).functions["k"]
    assert function.register_type(function.body[0].operands[0]) == "b16"


def test_inlined_code_belongs_to_the_innermost_student_line() -> None:
    text = (
        HEAD
        + ".entry k() {\n.loc 1 30 1\nmov.u32 %r1, 1;\n.loc 2 7 1, function_name $L1, inlined_at 1 31 5\n"
        + "mov.u32 %r1, 2;\n.loc 1 0 1\nmov.u32 %r1, 3;\n.loc 1 12 3, function_name $L2, inlined_at 1 33 9\n"
        + 'mov.u32 %r1, 4;\nret;\n}\n.file 1 "/build/a/mine.cu"\n.file 2 "/usr/include/theirs.h"\n'
    )
    body = parse(text, ("mine.cu",)).functions["k"].body
    assert [ins.location and ins.location.line for ins in body] == [30, 31, 31, 12, 12]
    assert body[0].location == Location("mine.cu", 30)
    assert {ins.location for ins in parse(text, ()).functions["k"].body} == {None}


def test_a_function_defined_twice_is_no_ptx() -> None:
    with pytest.raises(PtxError, match="twice"):
        parse(HEAD + ".entry k() { ret; }\n.entry k() { ret; }", ())


def test_only_what_a_kernel_reaches_is_decoded() -> None:
    text = (
        HEAD
        + ".func f() { tex.1d.v4.f32.s32 {%f1}, [t, {%r1}]; ret; }\n.entry a() { ret; }\n.entry b() { call f; ret; }"
    )
    module = parse(text, ())
    assert len(link(module, "a").code) == 2
    with pytest.raises(UnsupportedError, match=r"tex\.1d"):
        link(module, "b")


def test_a_call_of_an_unknown_function_is_named() -> None:
    text = HEAD + ".extern .func mallocate(.param .b64 n);\n.entry a() { call mallocate, (n); ret; }"
    with pytest.raises(UnsupportedError, match="unsupported-call mallocate"):
        link(parse(text, ()), "a")


def test_shared_arrays_have_gaps_that_keep_their_banks() -> None:
    source = """
extern "C" __global__ void k(float* out) {
    __shared__ float a[24], b[32];
    extern __shared__ float d[];
    a[threadIdx.x] = b[threadIdx.x] = d[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = a[0] + b[1] + d[2];
}
"""
    program = link(parse(ptx_of(source), (CUDA_FILE,)), "k")
    assert program.static_shared_bytes == (24 + 32) * 4
    starts = {variable_name(array.name): array.offset for array in program.shared}
    assert set(starts) == {"a", "b", "d"}
    banks = sorted(start % 128 for start in starts.values())
    assert banks in ([0, 96, 96], [0, 0, 96], [0, 96, 224 % 128])


def test_every_micro_operation_knows_its_line() -> None:
    source = 'extern "C" __global__ void k(float* out, int n) {\n    out[threadIdx.x] = 1.0f / n;\n}\n'
    program = link(parse(ptx_of(source), (CUDA_FILE,)), "k")
    assert len(program.locations) == len(program.code)
    assert {location.line for location in program.locations if location} <= {1, 2, 3}


def test_threads_and_blocks_are_named_by_their_coordinates() -> None:
    shape = LaunchShape(grid=Dim3(x=5), block=Dim3(x=4, y=3, z=2))
    assert thread_of_block(shape, 4 * 3 + 4 + 1, 3) == reason(
        "thread-of-block", thread="(1,1,1)", block="(3,0,0)"
    )


@pytest.mark.parametrize(
    ("symbol", "name"),
    [
        ("_ZZ4tileILi16EEvPKfS1_PfiE2as", "as"),
        ("_ZZ6kernelPfE4tile", "tile"),
        ("_ZZ1kPKfPfE1s_0", "s"),
        ("_ZZ18dot_product_sharedPKfS0_PfS1_iE3sum_$_0", "sum"),
        ("_ZZ4workIfLi32EET_S0_E4part", "part"),
        ("_ZZN3lab4workIfLi32EEET_S1_E3sum_$_1", "sum"),
        ("_ZN3lab5tableE", "lab::table"),
        ("_ZN4TileILi4EE5cellsE", "Tile<4>::cells"),
        ("_ZZZ1kPfENKUliE_clEiE4tile", "tile"),
        ("table", "table"),
    ],
)
def test_variables_are_named_as_the_student_wrote_them(symbol: str, name: str) -> None:
    assert variable_name(symbol) == name


def test_numbas_shared_arrays_are_numbered_within_their_kernel() -> None:
    arrays = ("_cudapy_smem_12", "_cudapy_smem_9")
    assert [shared_array_name(array, arrays) for array in arrays] == [
        reason("shared-array-by-number", number=2),
        reason("shared-array-by-number", number=1),
    ]


def test_numbas_shared_arrays_have_the_students_names() -> None:
    assert shared_array_name("_cudapy_smem_12_tile_b", ()) == reason("shared-array", name="tile_b")
