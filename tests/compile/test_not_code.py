"""A file that is not only code is answered with the line that is none, and what to do about it."""

from pathlib import PurePath

import pytest

from grader.compile import build
from grader.compile.not_code import look_alike, markdown_line
from grader.compile.sources import Source
from grader.languages import by_suffix
from grader.model.build import BuildRequest
from grader.model.kernel import KernelSpec, Param
from grader.model.reason import Reason
from grader.model.submission import SourceFile

CODE = "__global__ void fill(float *y, int n) { if (threadIdx.x < n) y[threadIdx.x] = 1; }\n"
PYTHON = "from numba import cuda\n\n\n@cuda.jit\ndef fill(y, n):\n    y[cuda.grid(1)] = 1\n"
FILL = KernelSpec(name="fill", params=(Param.parse("float32 y[n]"), Param.parse("int32 n")))


def answer(name: str, text: str) -> Reason:
    """Why the file cannot be built."""
    language = by_suffix()[PurePath(name).suffix]
    request = BuildRequest(
        language=language.key, files=(SourceFile(name=name, data=text.encode()),), kernels=(FILL,)
    )
    fault = build(request).fault
    assert fault is not None
    return fault.reason


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.cu", f"```cuda\n{CODE}```\n", 1),
        ("a.cu", f"Here is the kernel:\n\n```cpp\n{CODE}```\nIt fills.\n", 3),
        ("a.py", f"```python\n{PYTHON}```\n", 1),
        ("a.py", f"Sure! This fills:\n~~~py\n{PYTHON}~~~\n", 2),
    ],
)
def test_markdown_is_named(name: str, text: str, line: int) -> None:
    said = answer(name, text)
    assert isinstance(said.params["reason"], Reason)
    assert said.params["reason"].code == "markdown-in-code"
    assert said.location is not None
    assert said.location.line == line


@pytest.mark.parametrize("command", ["!pip install numba-cuda", "%matplotlib inline", "%%time"])
def test_a_command_of_a_notebook_is_named(command: str) -> None:
    said = answer("a.py", f"{command}\n{PYTHON}")
    assert isinstance(said.params["reason"], Reason)
    assert (said.params["reason"].code, said.location and said.location.line) == ("notebook-command", 1)


@pytest.mark.parametrize(
    ("character", "instead"),
    [("\u00a0", "a blank"), ("\u201c", '"'), ("\u2212", "-"), ("\uff1b", ";"), ("\u3000", "a blank")],
)
def test_a_character_that_looks_like_code_is_named(character: str, instead: str) -> None:
    said = answer("a.cu", CODE.replace("{ if", f"{{{character}\n if").replace("{", "{\n", 1))
    assert isinstance(said.params["reason"], Reason)
    assert said.params["reason"].code == "character-looks-like-code"
    assert said.params["reason"].params["instead"] == instead


@pytest.mark.parametrize(
    ("written", "code", "character"),
    [
        ("f\u0456ll", "character-looks-like-code", "U+0456"),
        ("fi\u04cfl", "character-looks-like-code", "U+04CF"),
        ("fi\u200bll", "character-invisible", "U+200B"),
        ("fill\u2060", "character-invisible", "U+2060"),
    ],
)
def test_a_letter_that_only_looks_right_is_named(written: str, code: str, character: str) -> None:
    said = answer("a.cu", CODE.replace("fill", written))
    assert isinstance(said.params["reason"], Reason)
    assert (said.params["reason"].code, said.params["reason"].params["character"]) == (code, character)


def test_a_kernel_of_python_with_a_letter_that_only_looks_right_is_named() -> None:
    said = answer("a.py", PYTHON.replace("fill", "f\u0456ll"))
    assert isinstance(said.params["reason"], Reason)
    assert (said.params["reason"].code, said.params["reason"].params["character"]) == (
        "name-looks-like",
        "U+0456",
    )
    assert said.location is not None
    assert said.location.line == 5


def test_a_fence_in_a_text_of_python_is_not_the_cause() -> None:
    said = answer("a.py", f'"""Fills.\n\n```\nfill(y)\n```\n"""\nx x\n{PYTHON}"""Also\n```\n"""\n')
    assert said.location is not None
    assert said.location.line == 7


@pytest.mark.parametrize("text", [f"/*\n```\n*/ x\n{CODE}", f"// ```\nx\n{CODE}"])
def test_a_fence_in_a_comment_is_not_the_cause(text: str) -> None:
    assert markdown_line(Source(name="a.cu", text=text, encoding="utf-8"), 1) is None
    assert answer("a.cu", text).location is not None


def test_letters_of_other_languages_look_like_nothing() -> None:
    assert (
        look_alike(Source(name="a.cu", text="int größe, 变量, длина, größe_2;", encoding="utf-8"), 1) is None
    )
