"""Programs compiled for a real GPU, which needs none."""

import pytest

from grader.errors import UserError
from grader.programs.build import Sources
from grader.programs.gpu.compile import compile_for_gpu
from grader.programs.toolchain import find_toolchain
from tests.programs.running import sources


def test_a_program_carries_the_runtime_and_code_for_the_gpu() -> None:
    executable = compile_for_gpu(sources("correct.cu"), find_toolchain(), "sm_90")
    assert executable.startswith(b"\x7fELF")
    assert b"sm_90" in executable
    assert b"libcudart.so" not in executable


def test_code_that_does_not_compile_is_refused_with_its_line() -> None:
    wrong = Sources(files={"wrong.cu": b"int main()\n{\n    return missing;\n}\n"})
    with pytest.raises(UserError, match=r"wrong\.cu:3"):
        compile_for_gpu(wrong, find_toolchain(), "sm_90")
