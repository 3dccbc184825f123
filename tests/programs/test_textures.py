"""Arrays, textures and surfaces of programs do what CUDA documents."""

import pytest

from grader.model.diagnostic import DiagnosticKind
from tests.programs.running import DATA, ran

VALUES = {
    "point reads": (1, "10 10 10 20 50 50"),
    "linear filtering": (2, "10 10 15 17.5 40 50"),
    "wrap": (3, "10 20 10 20 50"),
    "mirror": (4, "10 50 10 10"),
    "the border's colour, and wrap without normalised coordinates": (5, "7 10 7 10 50"),
    "weights of 8 bits": (6, "10 10.0391"),
    "pitched memory as normalised numbers": (7, "0 0 0.2 0.4 1"),
    "linear memory": (8, "5 0 0"),
    "a volume": (9, "5 6 9 10 17 18 21 22 8.5"),
    "layers": (10, "1 11 11 3 103"),
    "cubemaps": (11, "0 1 2 3 4 5 9"),
    "a gather, and level 0": (12, "3 4 2 1 2"),
    "a surface of pairs": (13, "2 -2 4 -4 6 -6"),
    "boundaries of surfaces": (14, "0 4 4 0"),
    "surfaces of a volume and of layers": (17, "123 112"),
    "the description of an array, and a copy between arrays": (18, "16 16 0 0 5 4 0 0 6 7 11 12"),
    "a box of pitched memory": (19, "0 1 5 6 7 8"),
}


@pytest.mark.parametrize("name", VALUES)
def test_values_are_those_that_cuda_documents(name: str) -> None:
    number, values = VALUES[name]
    done = ran("textures.cu", str(number))
    assert done.run.exit_code == 0
    assert done.run.diagnostics == ()
    assert done.printed.split() == values.split()


@pytest.mark.parametrize(
    ("number", "kind", "mark"),
    [(15, DiagnosticKind.OUT_OF_BOUNDS, "//-> outside"), (16, DiagnosticKind.MISALIGNED, "//-> misaligned")],
)
def test_a_wrong_access_of_a_surface_has_its_line(number: int, kind: DiagnosticKind, mark: str) -> None:
    done = ran("textures.cu", str(number))
    (found,) = done.run.diagnostics
    assert done.printed.split() == ["1"]
    assert found.kind == kind
    assert found.line is not None
    assert mark in (DATA / "textures.cu").read_text().splitlines()[found.line - 1]


@pytest.mark.parametrize("number", range(1, 13))
def test_what_cuda_refuses_is_refused_at_its_line(number: int) -> None:
    lines = (DATA / "array_faults.cu").read_text().splitlines()
    expected = next(text for text in lines if text.strip().startswith(f"case {number}:"))
    code, error, *call = expected.split("//-> ")[1].split()
    line = next(index for index, text in enumerate(lines, 1) if (call[0] if call else expected) in text)
    done = ran("array_faults.cu", str(number))
    assert done.printed.split() == [error]
    assert [(each.message.code, each.line) for each in done.run.diagnostics] == [(code, line)]


def test_a_mipmapped_array_is_refused_by_name() -> None:
    done = ran("array_faults.cu", "13")
    assert done.run.refused is not None
    assert done.run.refused.params["function"] == "cudaMallocMipmappedArray"
