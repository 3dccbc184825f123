"""Text that was typed into a form."""

import pytest

from grader.lms.archives.html_text import language_of_text, text_of


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>a &lt; b &amp;&amp; c</p><p>d</p>", "a < b && c\nd\n"),
        ("a<br>b<br/>c<BR />d", "a\nb\nc\nd\n"),
        ("<p>if (x)<br>&nbsp;&nbsp;&nbsp; y;</p>", "if (x)\n    y;\n"),
        ("<pre>def f():\n    return 1\n</pre>", "def f():\n    return 1\n"),
        ("<pre>\n  if a:\n\tb\n</pre>", "  if a:\n\tb\n"),
        ("<div>one\n two</div>\n<div>three</div>", "one two\nthree\n"),
        ("<head><title>x</title><style>p {}</style></head><body><p>y</p></body>", "y\n"),
        ("<p>a\u200bb</p>", "ab\n"),
        ("plain i < n; x<y>z\n\tk", "plain i < n; x<y>z\n\tk"),
        ("x &lt; y", "x < y"),
        ("<ul><li>#include &lt;cub/cub.cuh&gt;</li><li>int x;</li></ul>", "#include <cub/cub.cuh>\nint x;\n"),
    ],
)
def test_the_text_is_what_a_browser_shows(page: str, text: str) -> None:
    assert text_of(page) == text


def test_an_empty_line_between_paragraphs_stays() -> None:
    assert text_of("<p>a</p><p><br></p><p>b</p>") == "a\n\nb\n"


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("__global__ void f() {}", "cuda-c"),
        ("from numba import cuda", "numba"),
        ("int main() {}", None),
        ("// from numba\n__global__ void f(); __global__ void g();", "cuda-c"),
        ("# was __global__\nimport numba", None),
    ],
)
def test_the_language_is_found_by_content(text: str, key: str | None) -> None:
    found = language_of_text(text)
    assert (found.key if found else None) == key
