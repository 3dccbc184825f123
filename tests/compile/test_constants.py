"""Named integer constants of a file, as launch directives may use them."""

import pytest

from grader.compile.constants import cuda_c_definitions, named_integers, python_definitions
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec, Param
from grader.model.submission import Language

SPEC = KernelSpec(name="k", params=(Param.parse("float32 x[rows][2 * cols]"), Param.parse("int32 n")))


def found(language: Language, *texts: str, macros: dict[str, int] | None = None) -> dict[str, int]:
    request = BuildRequest(language=language, files=(), kernels=(SPEC,), macros=macros or {})
    read = {Language.CUDA_C: cuda_c_definitions, Language.NUMBA: python_definitions}[language]
    return named_integers(request, texts, read)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("#define TILE 32", 32),
        ("#define TILE (0x20u)  // a warp", 32),
        ("#ifndef TILE\n#define TILE 32\n#endif", 32),
        ("const int TILE = 32;", 32),
        ("static constexpr unsigned TILE = 32u;", 32),
        ("__global__ void k() { constexpr int TILE = 32; }", 32),
        ("#define TILE 16\n#define TILE 16", 16),
        ("#define TILE 16\n#undef TILE\n#define TILE 32", None),
        ("#define TILE (16 * 2)", 32),
        ("#define TILE 16 * 2", None),
        ("#define TILE (2 * WARP)\n#define HALF (WARP >> 1)\n#define WARP (HALF + 8)\n#define HALF 8", None),
        ("#define TILE (2 * WARP)\n#define WARP (HALF << 1)\n#define HALF 8", 32),
        ("#define TILE (TILE + 1)", None),
        ("#define A (B)\n#define B (A)\n#define TILE (A)", None),
        ("#define TILE (128 / 5 + 0x7)", 32),
        ("#define TILE (1 - 2 + 33)", None),
        ("#define TILE (32 / 0)", None),
        ("#define TILE (1 << 40)", None),
        ("#define TILE ((int) 32)", None),
        ("#define TILE (n / 2)", None),
        ("#define TILE (" + "(" * 150 + "1" + ")" * 150 + ")", None),
        ("constexpr int WARP = 16, TILE = 2 * WARP;", 32),
        ("const int TILE = 1 << 5;", 32),
        ("const int TILE = 32;\n__global__ void k() { const int TILE = blockDim.x; }", None),
        ("void k(const int TILE = 32);", None),
        ("#define TILE(x) 32", None),
        ("#define TILE 32.0f", None),
        ("#define TILE 99999999999", None),
        ("int TILE = 32;", None),
        ("const int a = 1; int TILE = 32;", None),
        ("// #define TILE 32", None),
    ],
)
def test_integers_of_cuda_c(text: str, value: int | None) -> None:
    assert found(Language.CUDA_C, text).get("TILE") == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("TILE = 32", 32),
        ("TILE: int = 0x20", 32),
        ("if True:\n    TILE = 32", 32),
        ("TILE = 16\nTILE = 32", None),
        ("TILE = True", None),
        ("TILE = 16 * 2", 32),
        ("WARP = 8\nTILE = WARP * 2 << 1", 32),
        ("TILE = 64 // 2", 32),
        ("TILE = 64 / 2", None),
        ("TILE = 2 ** 5", None),
        ("TILE = n", None),
        ("TILE = int(32)", None),
        ("def f():\n    TILE = 32", None),
        ("TILE = 32\nx = (", None),
    ],
)
def test_integers_of_python(text: str, value: int | None) -> None:
    assert found(Language.NUMBA, text).get("TILE") == value


def test_files_that_disagree_say_nothing() -> None:
    assert found(Language.CUDA_C, "#define TILE 16", "#define TILE 32\n#define PAD 1") == {"PAD": 1}


def test_a_macro_stands_for_the_value_that_it_is_built_with() -> None:
    assert found(Language.CUDA_C, "#define TILE 16", macros={"TILE": 64}) == {"TILE": 64}


def test_what_is_computed_from_a_macro_follows_it() -> None:
    text = "#define TILE 16\n#define PAD (TILE + 1)"
    assert found(Language.CUDA_C, text, macros={"TILE": 64}) == {"TILE": 64, "PAD": 65}


def test_the_names_of_sizes_and_arrays_stay_the_labs() -> None:
    text = "rows = 1000\ncols = 1000\nn = 5\nx = 3\nTILE = 8"
    assert found(Language.NUMBA, text) == {"TILE": 8}
