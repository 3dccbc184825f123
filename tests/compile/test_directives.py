"""Launch directives in both languages."""

import pytest

from grader.compile.directives import cuda_comments, python_comments, read_directives
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.plan import Geometry
from tests.compile.examples import CUDA_KERNEL, build_cuda, of_kind, only_kernel
from tools.messages import english


def geometry(line: str) -> Geometry:
    directives = read_directives(cuda_comments("a.cu", line), ["k"], {})
    assert directives.diagnostics == []
    return directives.geometries["k"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("// launch: k block=256 grid=rows", Geometry(grid=("rows",), block=("256",))),
        (
            "// launch: k block=256 grid=rows shared=block*4",
            Geometry(grid=("rows",), block=("256",), shared="block*4"),
        ),
        (
            "/* launch: k grid=ceil(cols/block_x),ceil(rows/block_y) block=16,16 */",
            Geometry(grid=("ceil(cols/block_x)", "ceil(rows/block_y)"), block=("16", "16")),
        ),
        (
            "//launch:k block = 32, 8 grid = max(1, rows % 7), 2 * (rows - 1) // 3 shared = 4 * (block + 1)",
            Geometry(
                grid=("max(1, rows % 7)", "2 * (rows - 1) // 3"), block=("32", "8"), shared="4 * (block + 1)"
            ),
        ),
    ],
)
def test_a_directive_is_taken_as_text(line: str, expected: Geometry) -> None:
    assert geometry(line) == expected


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ("", "block= and grid= is missing"),
        ("block=256", "grid= is missing"),
        ("256 grid=rows", "'256' is not understood"),
        ("block=256 grid=rows stream=1", "stream= is not a setting"),
        ("block=256 grid=rows grid=2", "grid= is given twice"),
        ("block=1,1,1,1 grid=rows", "block= has 4 extents; at most 3"),
        ("block=256 grid=rows shared=1,2", "shared= has 2 extents"),
        ("block=256 grid=", "grid= is not an expression"),
        ("block=256 grid=rows)", "is not an expression"),
        ("block=256 grid=2**rows", "is not an expression"),
        ("block=256 grid=rows.__class__", "is not an expression"),
        ("block=256 grid=__import__('os')", "is not an expression"),
        ("block=256 grid=open(rows)", "is not an expression"),
        ("block=256 grid=rows if rows else 1,2", "is not an expression"),
        ("block=1.5 grid=rows", "is not an expression"),
        (f"block=256 grid={'(' * 150}1", "is not an expression"),
        (f"block=256 grid={'1+' * 500}1", "grid= is too long"),
    ],
)
def test_a_malformed_directive_fails_its_kernel_with_the_form(settings: str, why: str) -> None:
    outcome = build_cuda(f"\n// launch: row_sum {settings}\n{CUDA_KERNEL}")
    problem = english(outcome.problems["row_sum"].reason)
    assert problem.startswith("row_sum.cu, line 2: ")
    assert why in problem
    assert "write: launch: KERNEL block=256" in problem or problem.endswith("…")
    (diagnostic,) = of_kind(outcome, DiagnosticKind.LAUNCH_DIRECTIVE)
    assert (diagnostic.severity, diagnostic.line) == (Severity.ERROR, 2)


def test_a_directive_for_another_kernel_is_a_warning() -> None:
    outcome = build_cuda(f"// launch: col_sum block=1 grid=1\n{CUDA_KERNEL}")
    assert only_kernel(outcome).geometry is None
    (warning,) = outcome.diagnostics
    assert warning.severity is Severity.WARNING
    assert "it asks for row_sum" in english(warning.message)


def test_a_second_directive_is_refused() -> None:
    line = "// launch: k block=1 grid=1\n"
    directives = read_directives(cuda_comments("a.cu", line * 2), ["k"], {})
    assert directives.broken["k"].line == 2


def test_text_in_a_string_is_no_directive() -> None:
    source = '// launch: k block=1 grid=1\nchar *s = "// launch: k block=2 grid=2";\n'
    assert read_directives(cuda_comments("a.cu", source), ["k"], {}).broken == {}


def test_a_line_of_a_block_comment_counts_at_its_own_line() -> None:
    (comment,) = (
        c for c in cuda_comments("a.cu", "/*\n * launch: k block=1 grid=1\n */") if "launch" in c.text
    )
    assert comment.line == 2
    assert read_directives([comment], ["k"], {}).geometries


def test_python_comments_are_read_up_to_a_mistake() -> None:
    comments = python_comments("a.py", 's = "# no"\n# launch: k block=1 grid=1\nx = (\n')
    assert [(comment.text, comment.line) for comment in comments] == [("# launch: k block=1 grid=1", 2)]


def test_a_directive_keeps_the_named_integers_that_it_uses() -> None:
    comments = cuda_comments("a.cu", "// launch: k block=TILE,TILE grid=ceil(n/TILE) shared=4*PAD")
    found = read_directives(comments, ["k"], {"TILE": 32, "PAD": 33, "OTHER": 1}).geometries["k"]
    assert found.constants == {"PAD": 33, "TILE": 32}
    assert found.grid == ("ceil(n/TILE)",)
