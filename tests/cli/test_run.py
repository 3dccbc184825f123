"""``grader run``: exit codes, what a program may do, and programs that are none."""

import shutil
from pathlib import Path

import pytest

from grader.cli.app import run

needs_bubblewrap = pytest.mark.skipif(shutil.which("bwrap") is None, reason="bubblewrap is not installed")

PROGRAM = r"""
#include "answer.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
__global__ void fill(int *x, int value) { x[threadIdx.x] = value; }
int main(int argc, char **argv)
{
    int *d, h[32], given = 0;
    if (FILE *file = fopen("given.txt", "r")) { if (fscanf(file, "%d", &given) != 1) return 9; fclose(file); }
    if (FILE *file = fopen("made.txt", "w")) { fputs("made", file); fclose(file); }
    cudaMalloc(&d, sizeof h);
    fill<<<1, 32>>>(d, ANSWER + given);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    printf("%d %s\n", h[31], argc > 1 ? argv[1] : "");
    if (argc > 2) abort();
    if (argc > 1 && argv[1][0] == 'l') return atoi(argv[1] + 1);
    cudaFree(d);
    return 0;
}
"""
TRUST = "--trust"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("main.cu").write_text(PROGRAM, encoding="utf-8")
    Path("answer.h").write_text("#define ANSWER 40\n", encoding="utf-8")
    Path("given.txt").write_text("2\n", encoding="utf-8")


def test_a_program_prints_reads_and_writes_as_it_would_alone(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "main.cu", TRUST, "--", "hello"]) == 0
    assert capfd.readouterr().out == "42 hello\n"
    assert Path("made.txt").read_text(encoding="utf-8") == "made"


@needs_bubblewrap
def test_a_program_in_the_sandbox_reads_its_folder_and_writes_nothing(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["run", "main.cu"]) == 0
    assert capfd.readouterr().out == "42 \n"
    assert not Path("made.txt").exists()


def test_the_exit_code_is_the_programs(capfd: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "main.cu", TRUST, "--", "l7"]) == 7
    assert run(["run", "main.cu", TRUST, "--", "a", "b"]) == 128 + 6
    assert "main.cu:12" in capfd.readouterr().err  # what the first run did not release


def test_an_error_decides_the_exit_code_if_asked() -> None:
    bad = PROGRAM.replace("cudaFree(d);", "cudaFree(d); cudaFree(d);")
    Path("main.cu").write_text(bad, encoding="utf-8")
    assert run(["run", "main.cu", TRUST]) == 0
    assert run(["run", "main.cu", TRUST, "--strict"]) == 1


def test_a_folder_and_headers_from_elsewhere_make_a_program(capfd: pytest.CaptureFixture[str]) -> None:
    for folder in ("project/part", "headers"):
        Path(folder).mkdir(parents=True)
    Path("answer.h").rename("headers/answer.h")
    Path("project/main.cu").write_text(
        PROGRAM.replace("ANSWER", "answer()").replace("int main", "int answer();\nint main"),
        encoding="utf-8",
    )
    Path("project/part/answer.cpp").write_text(
        '#include "answer.h"\nint answer() { return ANSWER; }\n', encoding="utf-8"
    )
    assert run(["run", "project", "-I", "headers", TRUST]) == 0
    assert capfd.readouterr().out == "42 \n"


@pytest.mark.parametrize(
    ("path", "text", "said"),
    [
        ("none.cu", None, "none.cu"),
        ("notes.txt", "notes", "no CUDA C++ source"),
        ("broken.cu", "int main() { return undeclared; }", "broken.cu:1"),
        (
            "blas.cu",
            'extern "C" int cublasCreate_v2(void **);\nint main() { return cublasCreate_v2(0); }',
            "cublasCreate_v2",
        ),
    ],
)
def test_what_is_no_program_is_said_in_a_line(
    path: str, text: str | None, said: str, capfd: pytest.CaptureFixture[str]
) -> None:
    if text is not None:
        Path(path).write_text(text, encoding="utf-8")
    assert run(["run", path, TRUST]) == 2
    assert said in capfd.readouterr().err


def test_the_page_has_the_timeline_and_the_findings() -> None:
    assert run(["run", "main.cu", TRUST, "--html", "run.html", "--", "l0"]) == 0
    page = Path("run.html").read_text(encoding="utf-8")
    assert 'class="lane-kernels"' in page
    assert "cudaMalloc" in page
    assert "fill" in page


def test_a_run_on_a_gpu_is_refused_where_there_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grader.programs.gpu.device._DRIVER", "libno-such-driver.so.1")
    assert run(["run", "main.cu", "--engine", "cuda", TRUST]) == 2
    assert "--engine cuda" in capsys.readouterr().err


@pytest.mark.parametrize("options", [[], ["--sanitize"], ["--default-stream", "per-thread"]])
def test_a_numba_program_on_a_gpu_is_refused_where_there_is_none(
    options: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("add.py").write_text("from numba import cuda\n", encoding="utf-8")
    monkeypatch.setattr("grader.programs.gpu.device._DRIVER", "libno-such-driver.so.1")
    assert run(["run", "add.py", "--engine", "cuda", TRUST, *options]) == 2
    assert "driver" in capsys.readouterr().err


def test_a_timeline_of_a_numba_program_on_a_gpu_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("add.py").write_text("from numba import cuda\n", encoding="utf-8")
    assert run(["run", "add.py", "--engine", "cuda", "--timeline"]) == 2
    assert "CUPTI" in capsys.readouterr().err


def test_a_program_runs_with_checked_memory_of_its_host_code() -> None:
    assert run(["run", "main.cu", "--sanitize", TRUST]) == 0


def test_several_gpus_and_a_kind_of_default_stream_are_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "main.cu", "--devices", "2", "--default-stream", "per-thread", TRUST]) == 0
    assert run(["run", "main.cu", "--default-stream", "shared", TRUST]) == 2
    assert "per-thread" in capsys.readouterr().err


def test_imitated_gpus_are_refused_beside_real_ones(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "main.cu", "--devices", "2", "--engine", "cuda", TRUST]) == 2
    assert "--devices" in capsys.readouterr().err


def test_an_engine_that_runs_no_programs_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["run", "main.cu", "--engine", "abacus", TRUST]) == 2
    assert "abacus" in capsys.readouterr().err
