"""Launch directives in both languages."""

import pytest

from grader.compile.directives import cuda_comments, python_comments, read_directives
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.location import SourceLocation
from grader.model.plan import Geometry
from grader.model.reason import Reason, reason
from tests.compile.examples import CUDA_KERNEL, build_cuda, of_kind, only_kernel
from tools.messages import english


def geometry(line: str) -> Geometry:
    directives = read_directives(cuda_comments("a.cu", line), ["k"], {})
    assert directives.diagnostics == []
    return directives.geometries["k"]


def _not_an_expression(text: str, setting: str = "grid") -> Reason:
    return reason("directive-expression-invalid", setting=setting, text=text)


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
    ("settings", "problem"),
    [
        ("", reason("directive-setting-missing", settings=("block=", "grid="))),
        ("block=256", reason("directive-setting-missing", settings=("grid=",))),
        ("256 grid=rows", reason("directive-text-unknown", text="256")),
        ("block=256 grid=rows stream=1", reason("directive-setting-unknown", setting="stream")),
        ("block=256 grid=rows grid=2", reason("directive-setting-repeated", setting="grid")),
        (
            "block=1,1,1,1 grid=rows",
            reason("directive-dimensions", setting="block", found=4, most=3),
        ),
        (
            "block=256 grid=rows shared=1,2",
            reason("directive-dimensions", setting="shared", found=2, most=1),
        ),
        ("block=256 grid=", _not_an_expression("")),
        ("block=256 grid=rows)", _not_an_expression("rows)")),
        ("block=256 grid=2**rows", _not_an_expression("2**rows")),
        ("block=256 grid=rows.__class__", _not_an_expression("rows.__class__")),
        ("block=256 grid=__import__('os')", _not_an_expression("__import__('os')")),
        ("block=256 grid=open(rows)", _not_an_expression("open(rows)")),
        ("block=256 grid=rows if rows,2", _not_an_expression("rows if rows")),
        ("block=256 grid=1 < rows < 3", _not_an_expression("1 < rows < 3")),
        ("block=1.5 grid=rows", _not_an_expression("1.5", "block")),
        (f"block=256 grid={'(' * 150}1", _not_an_expression("(" * 150 + "1")),
        (
            f"block=256 grid={'1+' * 500}1",
            reason("directive-expression-too-long", setting="grid"),
        ),
    ],
)
def test_a_malformed_directive_fails_its_kernel_with_the_form(settings: str, problem: Reason) -> None:
    outcome = build_cuda(f"\n// launch: row_sum {settings}\n{CUDA_KERNEL}")
    said = outcome.problems["row_sum"].reason
    assert said == reason(
        "at-location",
        location=SourceLocation(file="row_sum.cu", line=2),
        reason=reason("directive-invalid", problem=problem),
    )
    assert "launch: KERNEL block=256" in english(said)
    (diagnostic,) = of_kind(outcome, DiagnosticKind.LAUNCH_DIRECTIVE)
    assert (diagnostic.severity, diagnostic.line) == (Severity.ERROR, 2)


def test_a_directive_for_another_kernel_is_a_warning() -> None:
    outcome = build_cuda(f"// launch: col_sum block=1 grid=1\n{CUDA_KERNEL}")
    assert only_kernel(outcome).geometry is None
    (warning,) = outcome.diagnostics
    assert warning.severity is Severity.WARNING
    assert warning.message.params == {"kernel": "col_sum", "kernels": ("row_sum",)}


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
