"""Decoding of source bytes to text."""

import pytest

from grader.compile.failure import BuildFailed
from grader.compile.sources import MAX_SOURCE_BYTES, display_name, read_source
from grader.model.diagnostic import Severity
from grader.model.submission import SourceFile


def read(data: bytes, name: str = "a.cu") -> str:
    source, _ = read_source(SourceFile(name=name, data=data))
    return source.text


def test_utf_8_is_read_without_a_note() -> None:
    source, notes = read_source(SourceFile(name="a.cu", data="// 你好\n".encode()))
    assert source.text == "// 你好\n"
    assert notes == ()


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_the_text(encoding: str) -> None:
    assert read("int é;\n".encode(encoding)) == "int é;\n"


def test_latin_1_is_read_with_a_note_at_its_line() -> None:
    source, (note,) = read_source(SourceFile(name="a.cu", data=b"int a;\n// \xe9\n"))
    assert source.text == "int a;\n// é\n"
    assert source.data == b"int a;\n// \xe9\n"
    assert (note.severity, note.line) == (Severity.NOTE, 2)


def test_a_declared_encoding_is_believed() -> None:
    data = "# -*- coding: cp1251 -*-\n# сумма\n".encode("cp1251")
    assert "сумма" in read(data, "a.py")


@pytest.mark.parametrize("declared", ["rot13", "no-such-encoding"])
def test_a_declared_encoding_that_makes_no_text_is_not(declared: str) -> None:
    assert read(f"# coding: {declared}\n# ".encode() + b"\xe9\n", "a.py").endswith("é\n")


def test_every_line_end_counts_one_line() -> None:
    assert read(b"a\r\nb\rc\nd") == "a\nb\nc\nd"


@pytest.mark.parametrize("data", [b"", b" \n\t\n", b"\xef\xbb\xbf\n", b"\x1a"])
def test_an_empty_file_is_called_empty(data: bytes) -> None:
    with pytest.raises(BuildFailed, match="source-empty"):
        read(data)


@pytest.mark.parametrize(
    "data", [b"\x7fELF\x02\0\0", b"PK\x03\x04\0", bytes(range(1, 32)) * 4, b"\xff\xfe\0"]
)
def test_binary_data_is_called_so(data: bytes) -> None:
    with pytest.raises(BuildFailed, match="source-binary"):
        read(data)


def test_an_enormous_file_is_refused_with_both_sizes() -> None:
    with pytest.raises(BuildFailed, match="source-too-large"):
        read(b"/" * (MAX_SOURCE_BYTES + 1))


def test_a_name_that_would_break_a_ptx_string_is_shown_harmless() -> None:
    assert display_name('a"b\\c\nd\x1b[31m\udc80.cu') == "a_b_c_d_[31m_.cu"
    assert display_name("сумма 行.cu") == "сумма 行.cu"
