"""What a program needs and this runtime or CUDA lacks is named, with what to write instead."""

import pytest

from grader.programs.build import Sources, build
from grader.programs.compile_error import CompileError
from grader.programs.toolchain import find_toolchain

_TEXT = b"""
#include <cuda_runtime.h>
texture<float, 2, cudaReadModeElementType> image;
surface<void, 2> target;
int main() {
    cudaBindTextureToArray(image, nullptr);
    return cuInit(0);
}
"""


def test_what_cuda_removed_has_advice_at_its_line() -> None:
    with pytest.raises(CompileError) as caught:
        build(Sources(files={"old.cu": _TEXT}), find_toolchain())
    found = {(each.line, getattr(each.advice, "code", None)) for each in caught.value.diagnostics}
    assert {
        (3, "use-texture-objects"),
        (4, "use-surface-objects"),
        (6, "use-texture-objects"),
        (7, "use-the-runtime"),
    } <= found
