"""PTX as symbols: registers, order, and what compilers make of a disguise."""

import pytest

from grader.course.workspace import open_workspace
from grader.grading.rungs import build_request
from grader.languages import support
from grader.model.module import PtxModule, PtxUnit
from grader.model.similarity import View
from grader.model.submission import Language, SourceFile, Submission
from grader.similarity.fingerprints import of_submission
from grader.similarity.ptx_symbols import ptx_symbols
from tests.similarity.sources import DIRECT, DISGUISED, NUMBA, ORIGINAL

HEAD = ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p, .param .u32 n)\n{\n"
REGISTERS = ".reg .pred %p<9>;\n.reg .f32 %f<9>;\n.reg .b32 %r<9>;\n.reg .b64 %rd<9>;\n"


def symbols(body: str, view: View = View.PTX) -> list[tuple[str, tuple[int, ...]]]:
    """The symbols of one function, with its registers numbered by their first use."""
    module = PtxModule(
        units=(PtxUnit(name="k.cu", ptx=f"{HEAD}{REGISTERS}{body}}}\n"),), kernels=(), user_files=("k.cu",)
    )
    (found,) = ptx_symbols(module)[view]
    order: dict[str, int] = {}
    return [(each.text, tuple(order.setdefault(name, len(order)) for name in each.names)) for each in found]


LOAD = "ld.param.u64 %rd1, [p];\n"


def test_registers_count_by_their_order() -> None:
    assert symbols(
        "mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 4;\nst.global.u32 [%rd1], %r2;\nret;\n"
    ) == symbols("mov.u32 %r7, %tid.x;\nadd.s32 %r3, %r7, 9;\nst.global.u32 [%rd5], %r3;\nret;\n")


def test_special_registers_stay() -> None:
    assert symbols("mov.u32 %r1, %tid.x;\nret;\n") != symbols("mov.u32 %r1, %tid.y;\nret;\n")


def test_the_order_of_independent_values_does_not_count() -> None:
    first, second = "mov.u32 %r1, %tid.x;\n", "mov.u32 %r2, %ctaid.x;\n"
    use = "mad.lo.s32 %r3, %r2, 16, %r1;\nst.global.u32 [%rd1], %r3;\nret;\n"
    assert symbols(LOAD + first + second + use) == symbols(first + LOAD + second + use)
    assert symbols(first + second + use) == symbols(second + first + use)


def test_the_order_of_values_for_another_block_does_not_count() -> None:
    first, second = "mov.u32 %r1, %tid.x;\n", "mov.u32 %r2, %ctaid.x;\n"
    use = "bra $L;\n$L:\nst.global.u32 [%rd1], %r2;\nst.global.u32 [%rd1], %r1;\nret;\n"
    assert symbols(first + second + use) == symbols(second + first + use)


def test_the_order_of_commutative_operands_does_not_count() -> None:
    values = "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmul.lo.s32 %r4, %r2, 16;\n"
    use = "st.global.u32 [%rd1], %r3;\nret;\n"
    assert symbols(f"{values}add.s32 %r3, %r1, %r4;\n{use}") == symbols(
        f"{values}add.s32 %r3, %r4, %r1;\n{use}"
    )
    assert symbols(f"{values}sub.s32 %r3, %r1, %r4;\n{use}") != symbols(
        f"{values}sub.s32 %r3, %r4, %r1;\n{use}"
    )


def test_the_order_of_effects_counts() -> None:
    first, second = "st.global.u32 [%rd1], %r1;\n", "bar.sync 0;\n"
    assert symbols(f"{first}{second}ret;\n") != symbols(f"{second}{first}ret;\n")


def test_a_long_chain_of_values_is_ordered() -> None:
    chain = "add.f32 %f1, %f1, %f2;\n" * 5000
    assert len(symbols(f"{chain}st.global.f32 [%rd1], %f1;\nret;\n")) == 5002


def test_operations_leave_addresses_out() -> None:
    body = "ld.global.nc.f32 %f1, [%rd1+8];\nfma.rn.f32 %f2, %f1, %f1, %f3;\nst.shared.f32 [%r1], %f2;\n"
    around = f"shl.b32 %r1, %r2, 2;\n{body}bar.sync 0;\nret;\n"
    texts = [text for text, _ in symbols(around, View.OPERATIONS)]
    assert texts == ["ld.global.f32", "fma.rn.f32", "st.shared.f32", "bar.sync"]


def compiled(text: str, language: Language = Language.CUDA_C) -> dict[View, set[int]]:
    """The hashes of a submission to the matrix product, by view."""
    file = SourceFile(name=f"matmul{support(language).suffix}", data=text.encode())
    submission = Submission(student="s", lab="matmul", language=language, files=(file,), path=file.name)
    lab = open_workspace().registry.get("matmul")
    translation = support(language).translate(build_request(lab, submission, "sm_75"))
    found = of_submission(submission, translation)
    assert not found.missing
    return {view: {each.hash for each in own} for view, own in found.views.items()}


@pytest.fixture(scope="module")
def original() -> dict[View, set[int]]:
    return compiled(ORIGINAL)


def test_a_disguise_changes_the_source_and_not_the_ptx(original: dict[View, set[int]]) -> None:
    disguised = compiled(DISGUISED)
    assert len(original[View.TOKENS] & disguised[View.TOKENS]) < len(original[View.TOKENS]) / 2
    assert original[View.PTX] == disguised[View.PTX]


def test_another_kernel_has_other_ptx(original: dict[View, set[int]]) -> None:
    assert len(original[View.PTX] & compiled(DIRECT)[View.PTX]) < len(original[View.PTX]) / 10


def test_a_translation_to_numba_has_the_same_operations(original: dict[View, set[int]]) -> None:
    translated = compiled(NUMBA, Language.NUMBA)
    assert original[View.OPERATIONS] == translated[View.OPERATIONS]
    assert not original[View.TOKENS] & translated[View.TOKENS]
