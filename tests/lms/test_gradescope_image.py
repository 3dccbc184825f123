"""The parts of an autograder for Gradescope: metadata, rate limit, settings, the wheel and its constraints."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest

from grader.cli.app import run
from grader.config.load import load
from grader.errors import UserError
from grader.lms.gradescope_image import RateLimit, RunSettings, read_metadata, refusal, settings_of
from grader.lms.gradescope_image.wheel import constraints, wheel
from tests.lms.gradescope_container import METADATA, previous

LIMIT = RateLimit(attempts=2, hours=24)


def described(**changes: Any) -> bytes:
    return json.dumps(METADATA | changes).encode()


@pytest.mark.parametrize(
    ("earlier", "refused"),
    [
        ([], False),
        ([previous(9)], False),
        ([previous(9), previous(10)], True),
        ([previous(9), previous(10, failed=True)], False),
        ([previous(8), previous(9), previous(10, limited=True)], True),
        ([previous(9), previous(10, limited=True)], False),
        ([previous(9), previous(15)], False),
    ],
    ids=["none", "one", "two", "failed", "limited after two", "limited", "later"],
)
def test_the_limit_counts_what_was_graded_before(earlier: list[dict[str, Any]], refused: bool) -> None:  # noqa: FBT001 - pytest names what a table gives
    metadata = read_metadata(described(previous_submissions=earlier))
    assert (refusal(LIMIT, metadata) is not None) is refused


def test_a_refused_submission_keeps_the_results_of_the_newest_graded_one() -> None:
    earlier = [previous(10), previous(9), previous(11, limited=True), previous(12, failed=True)]
    found = refusal(LIMIT, read_metadata(described(previous_submissions=earlier)))
    assert found is not None
    assert found.results["score"] == 10.0
    assert found.why.params["moment"] == "2026-06-11 09:00+02:00"


def test_without_a_limit_everything_is_graded() -> None:
    earlier = [previous(9)] * 50
    assert refusal(None, read_metadata(described(previous_submissions=earlier))) is None


@pytest.mark.parametrize(
    ("users", "student"),
    [
        ([{"email": "ada@example.edu", "id": 7}, {"email": "bo@example.edu"}], "ada@example.edu"),
        ([{"id": 7}], "7"),
        ([], "student"),
    ],
)
def test_a_submission_belongs_to_its_first_submitter(users: list[dict[str, Any]], student: str) -> None:
    assert read_metadata(described(users=users)).student == student


@pytest.mark.parametrize("data", [b"{", b"[]", described(created_at="2026-06-10T14:14:00"), b'{"users": []}'])
def test_damaged_metadata_is_refused(data: bytes) -> None:
    with pytest.raises(UserError, match=r"submission_metadata\.json"):
        read_metadata(data)


def test_settings_are_read_as_they_are_written() -> None:
    settings = RunSettings(lab="row-sum", language="ru", leaderboard=False, limit=LIMIT)
    assert settings_of(settings.encoded()) == settings
    with pytest.raises(UserError):
        settings_of(b'{"visibility": "later"}')


def test_the_wheel_is_one_that_pip_takes() -> None:
    name, data = wheel()
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        names = archive.namelist()
        (record,) = (each for each in names if each.endswith(".dist-info/RECORD"))
        listed = [line.split(",")[0] for line in archive.read(record).decode().splitlines()]
    assert name.startswith("grader-")
    assert name.endswith("-py3-none-any.whl")
    assert listed == names
    assert "grader/labs/_bundled/assignments/row-sum/lab.toml" in names
    assert not any("__pycache__" in each for each in names)


def test_constraints_pin_what_is_installed() -> None:
    pinned = dict(line.split("==") for line in constraints().decode().splitlines())
    assert {"numba", "numba-cuda", "nvidia-cuda-nvrtc", "rich", "typer"} <= pinned.keys()


def test_the_zip_has_the_courses_points_and_no_secrets(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("grader.toml").write_text(
        '[store]\nurl = "sqlite:///secret.db"\n'
        '[labs.row-sum]\ntitle = "Sums"\n[labs.row-sum.rubric]\ncorrectness = 70\n',
        encoding="utf-8",
    )
    assert run(["gradescope", "row-sum", "--attempts", "3"]) == 0
    with zipfile.ZipFile("autograder.zip") as archive:
        archive.extract("grader.toml", "inside")
        assert archive.getinfo("setup.sh").external_attr >> 16 & 0o111
        assert json.loads(archive.read("gradescope.json"))["limit"] == {"attempts": 3, "hours": 24}
        assert b"secret" not in archive.read("grader.toml")
    monkeypatch.chdir("inside")
    assert load().overlays["row-sum"].content == {"title": "Sums", "rubric": {"correctness": 70}}


def test_an_unknown_lab_writes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["gradescope", "sums"]) == 2
    assert list(tmp_path.iterdir()) == []
