"""Textures as launch arguments: which are rejected, and how a lab declares one."""

import numpy as np
import pytest

from grader.compile.parameter_types import c_type
from grader.model.diagnostic import DiagnosticKind
from grader.model.kernel import KernelSpec, Param
from grader.model.texture import Addressing, Filtering, Sampling, Texel, Texture
from grader.model.verdict import Verdict
from tools.emulator.compiling import Out, Textured, line_of, run_cuda


def test_a_manifest_asks_for_a_texture() -> None:
    param = Param.parse("texture(linear, wrap, normalised) float32 image[rows][cols]")
    assert (param.is_array, param.const, param.dims) == (True, True, ("rows", "cols"))
    assert param.sampling == Sampling(
        filtering=Filtering.LINEAR, addressing=Addressing.WRAP, normalised=True, fetched=False
    )
    assert Param.parse("texture int32 table[n]").sampling == Sampling()
    assert Param.parse("float32 texture[n]").sampling is None


@pytest.mark.parametrize(
    "text",
    [
        "texture float32 x",
        "texture float64 x[n]",
        "texture(cubic) float32 x[n]",
        "texture float32 x[a][b][c]",
    ],
)
def test_a_texture_that_cannot_be_is_refused_in_the_manifest(text: str) -> None:
    with pytest.raises(ValueError, match="texture"):
        Param.parse(text)


def test_a_texture_is_declared_as_a_texture_object() -> None:
    spec = KernelSpec(
        name="blur", params=(Param.parse("texture float32 image[h][w]"), Param.parse("float32 out[h][w]"))
    )
    assert spec.c_signature == "__global__ void blur(cudaTextureObject_t image, float *out)"
    assert c_type("unsigned long long", handles=True).accepts(spec.params[0])
    assert not c_type("float const*", handles=True).accepts(spec.params[0])


@pytest.mark.parametrize(
    "wrong",
    [
        {"dimensions": 3},
        {"dimensions": 2, "channels": 3},
        {"dimensions": 2, "sampling": Sampling(fetched=True)},
        {"dimensions": 1, "values_normalised": True},
        {"dimensions": 1, "texel": Texel.INT32, "sampling": Sampling(filtering=Filtering.LINEAR)},
    ],
)
def test_what_cuda_does_not_allow_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match=r"texture|values"):
        Texture(buffer="x", **wrong)  # type: ignore[arg-type]  # whatever the case says


def test_reading_what_is_no_texture_has_its_line() -> None:
    source = """
extern "C" __global__ void run(cudaTextureObject_t line, float* out) {
    out[0] = tex2D<float>(line, 1.0f, 1.0f);  // of one dimension
}
"""
    texture = Texture(buffer="line", dimensions=1)
    ran = run_cuda(source, 1, 1, {"line": Textured(np.ones(4, np.float32), texture), "out": Out((1,))})
    assert ran.fault is not None
    assert ran.fault.verdict is Verdict.CRASHED
    assert ran.lines(DiagnosticKind.NULL_ACCESS) == {line_of(source, "// of one")}
