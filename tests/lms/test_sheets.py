"""A CSV file of another program: read, changed in single cells, and otherwise the same bytes."""

import contextlib
import csv
import io
from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.errors import UserError
from grader.lms.sheets import Sheet, decimal_mark_of, number, read_sheet, written

HEADERS = "Идентификатор;Полное имя;Оценка\r\n"
ROWS = 'Участник 12;"Ёлкина, Юлия";"8,50"\r\nУчастник 13;Ан И;\r\n'
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "cp1251", "koi8_r"]


def cells(data: bytes, encoding: str, separator: str) -> list[list[str]]:
    """What Python's own reader finds in ``data``."""
    return list(csv.reader(io.StringIO(data.decode(encoding), newline=""), delimiter=separator))


@given(st.binary(max_size=200) | st.text(alphabet='a,;"\r\n\tж', max_size=60).map(str.encode))
def test_bytes_that_are_read_are_written_unchanged(data: bytes) -> None:
    with contextlib.suppress(UserError):
        sheet = read_sheet(data, any_legacy=True)
        assert sheet.with_cells({}) == data
        same = {
            (number, column): cell.value
            for number, row in enumerate(sheet.rows)
            for column, cell in enumerate(row.cells)
        }
        assert sheet.with_cells(same) == data


CELL = st.text(alphabet='ab,;" \tж=', max_size=5)


@given(
    rows=st.lists(st.lists(CELL, min_size=2, max_size=4), min_size=2, max_size=4),
    end=st.sampled_from(["\n", "\r\n"]),
    all_quoted=st.booleans(),
    value=st.text(alphabet='xy,"\n ,ж', max_size=6),
)
def test_a_set_cell_is_read_back_and_the_rest_stays(
    *, rows: list[list[str]], end: str, all_quoted: bool, value: str
) -> None:
    table = [["h", "i", "j", "k"], *rows]
    stream = io.StringIO(newline="")
    quoting: Literal[0, 1] = csv.QUOTE_ALL if all_quoted else csv.QUOTE_MINIMAL
    csv.writer(stream, lineterminator=end, quoting=quoting).writerows(table)
    sheet = read_sheet(stream.getvalue().encode())
    assert [list(row.values) for row in sheet.rows] == table
    changed = read_sheet(sheet.with_cells({(1, 1): value}))
    table[1] = [table[1][0], value, *table[1][2:]]
    assert [list(row.values) for row in changed.rows] == table


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_the_encoding_is_found_and_kept(encoding: str) -> None:
    data = (HEADERS + ROWS).encode(encoding)
    sheet = read_sheet(data)
    assert sheet.headers == ("Идентификатор", "Полное имя", "Оценка")
    filled = sheet.with_cells({(1, 2): "9,00", (2, 2): "7,25"})
    assert cells(filled, encoding, ";")[1:] == [
        ["Участник 12", "Ёлкина, Юлия", "9,00"],
        ["Участник 13", "Ан И", "7,25"],
    ]
    expected = HEADERS + ROWS.replace("8,50", "9,00").replace("Ан И;", "Ан И;7,25")
    assert filled == expected.encode(encoding)


@pytest.mark.parametrize(
    ("encoding", "headers"),
    [
        ("gb18030", "识别码,全名,成绩"),
        ("cp932", "ID,フルネーム,評点"),
        ("big5", "識別碼,完整名稱,成績"),
        ("cp949", "식별자,전체 이름,성적"),
        ("cp1252", "Identificador,Última modificación (entrega),Calificación"),
        ("cp1254", "Tanımlayıcı,Tam adı,Not"),
    ],
)
def test_legacy_encodings_are_known_by_their_headers(encoding: str, headers: str) -> None:
    sheet = read_sheet(f"{headers}\n1,x,\n".encode(encoding))
    assert sheet.headers == tuple(headers.split(","))


def test_a_legacy_encoding_is_not_guessed() -> None:
    data = "name,grade\nЮлия,5\n".encode("cp1251")
    with pytest.raises(UserError, match="--encoding"):
        read_sheet(data)
    assert read_sheet(data, codec="cp1251").rows[1].values == ("Юлия", "5")


def test_a_character_that_the_encoding_lacks_is_refused_with_its_line() -> None:
    sheet = read_sheet((HEADERS + ROWS).encode("cp1251"))
    with pytest.raises(UserError, match=r"Line 2: .*cp1251.*'李'"):
        sheet.with_cells({(1, 2): "李"})


@pytest.mark.parametrize("separator", [",", ";", "\t", "|"])
def test_the_separator_is_found_and_kept(separator: str) -> None:
    line = separator.join(["a", '"b,;\t|"', "c"])
    sheet = read_sheet(f"{line}\n{line}\n".encode())
    assert sheet.separator == separator
    assert sheet.with_cells({(1, 2): separator}).endswith(f'{separator}"{separator}"\n'.encode())


def test_cells_behind_the_end_of_a_row_are_added() -> None:
    sheet = read_sheet(b"a,b,c,d,e\r\n1\r\n2,x\r\n")
    assert sheet.with_cells({(1, 2): "y", (1, 4): "z"}) == b"a,b,c,d,e\r\n1,,y,,z\r\n2,x\r\n"


def test_excels_line_about_the_separator_is_no_header() -> None:
    sheet = read_sheet(b"sep=;\r\nname;grade\r\nAda;5\r\n")
    assert sheet.headers == ("name", "grade")
    assert [row.line for _, row in sheet.body] == [3]


def test_lines_count_those_inside_of_cells() -> None:
    sheet = read_sheet(b'a,b\n"1\n2",x\n3,y\n')
    assert [row.line for _, row in sheet.body] == [2, 4]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b'a,b\n"x,1\n', "Line 2"),
        (b"PK\x03\x04rest", "spreadsheet"),
        (b"\xd0\xcf\x11\xe0rest", "spreadsheet"),
    ],
)
def test_what_is_no_csv_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(UserError, match=message):
        read_sheet(data)


def test_an_unknown_encoding_is_refused() -> None:
    with pytest.raises(UserError, match="'latin-99'"):
        read_sheet(b"a,b\n", codec="latin-99")


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("87,50", "87.50"),
        ("87.5", "87.5"),
        (" 100 ", "100"),
        ("1.000,5", "1000.5"),
        ("1,000.5", "1000.5"),
        ("1 000,5", "1000.5"),
        ("1\u202f000,5", "1000.5"),
        ("-1", "-1"),
        ("-", None),
        ("", None),
        ("EX", None),
        ("8 points", None),
        ("1,2,3", None),
    ],
)
def test_numbers_are_read_in_either_mark(text: str, value: str | None) -> None:
    assert (None if (found := number(text)) is None else f"{found}") == value


@pytest.mark.parametrize(
    ("found", "mark"),
    [(["87,50", "-", "100"], ","), (["8.5"], "."), (["8", ""], None), (["8.5", "8,5"], None)],
)
def test_the_decimal_mark_is_that_of_the_cells(found: list[str], mark: str | None) -> None:
    assert decimal_mark_of(found) == mark


@pytest.mark.parametrize(
    ("value", "text"),
    [(87.5, "87,5"), (100.0, "100"), (0.125, "0,13"), (66.666666, "66,67"), (1e-9, "0"), (1e3, "1000")],
)
def test_a_number_is_written_with_the_places_it_needs(value: float, text: str) -> None:
    assert written(value, ",") == text


def test_a_large_class_is_read_in_one_pass() -> None:
    lines = "".join(f'{number},"Name, {number}",,"<p>text</p>"\n' for number in range(20_000))
    sheet: Sheet = read_sheet(f"id,name,grade,feedback\n{lines}".encode())
    assert len(sheet.rows) == 20_001
