"""What ``grader labs new`` writes is a lab that validates, of each kind."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grader.cli.app import app
from grader.config import load
from grader.config.settings import LimitSettings
from grader.errors import UserError
from grader.grading.environment import GradingEnvironment
from grader.grading.validate import validate
from grader.labs.folder import load_lab
from grader.labs.scaffold import kinds, scaffold
from grader.model.run import EngineKind
from grader.sandbox.process import ProcessSandbox

KINDS = ("frame", "matmul", "pipeline", "program", "row-wise")


@pytest.fixture(scope="module")
def environment() -> Iterator[GradingEnvironment]:
    with ProcessSandbox() as sandbox:
        yield GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "t4", LimitSettings(), modelled_counts=True
        )


def test_the_kinds_are_those_of_the_documentation() -> None:
    assert tuple(kinds()) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_a_new_lab_validates(tmp_path: Path, environment: GradingEnvironment, kind: str) -> None:
    for path, text in scaffold("my-lab", kind).items():
        top, _, rest = path.partition("/")
        file = tmp_path / top / "my-lab" / rest
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    lab = load_lab(tmp_path / "assignment" / "my-lab", tmp_path / "reference" / "my-lab")
    failed = [each for each in validate(lab, environment) if not each.passed]
    assert [(each.check, each.detail) for each in failed] == []


@pytest.mark.parametrize(
    ("name", "like", "said"),
    [("My Lab", "matmul", "no name of a lab"), ("my-lab", "matmull", "nothing like 'matmull'")],
)
def test_another_name_or_kind_is_refused(name: str, like: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as refused:
        scaffold(name, like)
    assert refused.value.hint


def test_the_command_writes_a_lab_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    new = ["labs", "new", "scan", "--like", "pipeline"]
    (tmp_path / "grader.toml").write_text("[labs]\n", encoding="utf-8")
    assert CliRunner().invoke(app, new).exit_code != 0
    (tmp_path / "grader.toml").unlink()
    assert CliRunner().invoke(app, new).exit_code == 0
    assert load(tmp_path).lab_folders[0].labs == tmp_path / "assignments"
    assert load_lab(tmp_path / "assignments" / "scan", tmp_path / "reference" / "scan").name == "scan"
    assert CliRunner().invoke(app, new).exit_code != 0
