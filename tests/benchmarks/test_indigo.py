"""The table of planted bugs, on a folder with files like those of the suite."""

from pathlib import Path

import pytest

from benchmarks.indigo import Outcome, main, missed, run, tallies
from benchmarks.indigo_suite import Code, codes, graphs

KERNEL = """
typedef {type} data_t;

#include "indigo_cuda.h"

__global__ void test_kernel(int* nindex, int* nlist, data_t* data1, data_t* data2, int numv)
{{
  int v = threadIdx.x + blockIdx.x * blockDim.x;
{body}
}}

void serial_code(int* nindex, int* nlist, data_t* data1, data_t* data2, int numv) {{ }}
"""
COUNT = "  if (v < numv && nindex[v] < nindex[v + 1]) {\n    PLACE\n  }"
FILES = {
    "count_neighbor": ("int", COUNT.replace("PLACE", "atomicAdd(&data1[0], 1);")),
    "count_neighbor_atomicBug": ("int", COUNT.replace("PLACE", "// atomicBug here\n    data1[0]++;")),
    "count_neighbor_boundsBug": ("int", "  if (v < numv) data1[v] = nlist[nindex[v]];"),
    "count_neighbor_char": ("char", "  if (v < numv) data1[v] = data2[v];"),
}


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    for name, (dtype, body) in FILES.items():
        file = tmp_path / "CUDA" / "count_neighbor" / f"{name}.cu"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(KERNEL.format(type=dtype, body=body), encoding="utf-8")
    return tmp_path


def outcomes(chosen: list[Code]) -> list[Outcome]:
    return [run(code, graph) for code in chosen for graph in graphs()]


def test_the_name_of_a_file_says_type_and_bugs(suite: Path) -> None:
    assert {code.name for code in codes(suite, ["int"])} == set(FILES) - {"count_neighbor_char"}
    (narrow,) = codes(suite, ["char"])
    assert narrow.dtype == "char"


def test_planted_bugs_are_counted_by_code(suite: Path) -> None:
    found = outcomes(codes(suite, ["int", "char"]))
    assert all(not each.problem for each in found)
    larger = {
        (row.codes, row.finding): (row.found, row.of) for row in tallies(found) if row.graphs == "larger"
    }
    assert larger == {
        ("race planted", "race"): (1, 1),
        ("no race planted", "race"): (0, 3),
        ("race found and its line marked", "race at the marked line"): (1, 1),
        ("missing guard planted", "out of bounds"): (1, 1),
        ("no missing guard planted", "out of bounds"): (0, 3),
    }
    assert missed(found) == []


def test_code_that_does_not_build_is_no_miss(suite: Path) -> None:
    (suite / "CUDA" / "odd_atomicBug.cu").write_text(KERNEL.format(type="int", body="  ?"), encoding="utf-8")
    (odd,) = (code for code in codes(suite, ["int"]) if code.name == "odd_atomicBug")
    assert run(odd, graphs()[0]).problem.startswith("not built")


def test_a_folder_without_codes_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SystemExit):
        codes(tmp_path, ["int"])


def test_the_table_names_what_is_not_as_planted(suite: Path, capsys: pytest.CaptureFixture[str]) -> None:
    harmless = KERNEL.format(type="int", body="  if (v < numv) data1[v] = v;")
    (suite / "CUDA" / "harmless_raceBug.cu").write_text(harmless, encoding="utf-8")
    main([str(suite), "--types", "int"])
    assert "not as planted: harmless_raceBug" in capsys.readouterr().out
