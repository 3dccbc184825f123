"""A path that cannot be read or written gets one error line; two paths of one command get two lines."""

from pathlib import Path

import pytest

from grader.cli.app import run
from grader.cli.paths import require_distinct
from grader.errors import UserError

LONG = "x" * 300


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def locked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make the folder ``noperm`` inaccessible even to root, whom file permissions do not restrict."""
    exists = Path.exists

    def denied(path: Path) -> bool:
        if "noperm" in path.parts:
            raise PermissionError(13, "Permission denied")
        return exists(path)

    monkeypatch.setattr(Path, "exists", denied)


def complaint(typed: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    assert run(typed) == 2
    shown = capsys.readouterr().err.strip()
    assert shown.startswith("grader: ")
    assert "\n" not in shown
    return shown.removeprefix("grader: ")


@pytest.mark.usefixtures("locked")
@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["check", "noperm/x.py", "--lab", "vector-add"], "noperm/x.py cannot be read: Permission denied."),
        (["sweep", "noperm/x.py"], "noperm/x.py cannot be read: Permission denied."),
        (["grade", "noperm"], "noperm cannot be read: Permission denied."),
        (["start", "vector-add", "noperm/y"], "noperm/y cannot be written: Permission denied."),
        (["check", LONG, "--lab", "vector-add"], f"{LONG} cannot be read: File name too long."),
        (["check", LONG], f"{LONG} cannot be read: File name too long."),
        (["sweep", LONG, "--lab", "matmul"], f"{LONG} cannot be read: File name too long."),
        (["grade", LONG], f"{LONG} cannot be read: File name too long."),
        (["start", "vector-add", LONG], f"{LONG} cannot be written: File name too long."),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_an_unwritable_or_too_long_path_is_one_line(
    typed: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert complaint(typed, capsys) == message


@pytest.mark.parametrize(
    "typed",
    [
        ["labs"],
        ["start", "row-sum"],
        ["check", "x.cu"],
        ["grade", "x"],
        ["leaderboard", "--json", "a", "--html", "b"],
        ["bench-labs", "--json", "a", "--html", "b"],
    ],
    ids=lambda value: value[0],
)
def test_a_current_directory_that_is_gone_is_one_line(
    typed: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    assert complaint(typed, capsys).startswith("The current directory cannot be used: No such file")


@pytest.mark.parametrize("command", ["check", "grade", "sweep"])
@pytest.mark.parametrize("name", ["row-sum", "empty"])
def test_an_empty_folder_of_a_named_lab_asks_for_a_source(
    command: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).mkdir()
    message = complaint([command, name, "--lab", "row-sum"], capsys)
    assert message.startswith(f"There is no submission at {name}.")
    assert ".cu or .py file" in message


def test_an_empty_folder_without_a_known_lab_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    assert "Expected files such as" in complaint(["check", "empty"], capsys)
    assert "There is no lab called 'row-summ'." in complaint(["check", "empty", "--lab", "row-summ"], capsys)


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        (["grade", "x", "--json", "a", "--html", "./a"], "--json and --html both write a."),
        (["grade", "x", "--csv", "b", "--html", "b"], "--csv and --html both write b."),
        (["grade", "x", "--html", "results/grades.csv"], "--csv and --html both write results/grades.csv."),
        (["sweep", "x", "--json", "a", "--html", "link"], "--json and --html both write link."),
        (["leaderboard", "--json", "a", "--html", "a"], "--json and --html both write a."),
        (["bench-labs", "--json", "a", "--html", "a"], "--json and --html both write a."),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_one_file_for_two_outputs_is_refused_at_once(
    typed: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "link").symlink_to("a")
    assert complaint(typed, capsys) == f"{message} Name a file of its own for each."
    assert [path.name for path in tmp_path.iterdir()] == ["link"]


def test_a_device_file_and_unwritten_files_never_clash() -> None:
    require_distinct(json=Path("/dev/null"), csv=Path("/dev/null"), html=None)
    require_distinct(json=None, csv=None, html=Path("a"))
    require_distinct(json=Path(LONG), html=Path(LONG))
    with pytest.raises(UserError, match="--csv and --html both write a"):
        require_distinct(json=Path("/dev/null"), csv=Path("a"), html=Path("a"))
