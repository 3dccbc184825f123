"""``%%grader`` in IPython's shell."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell
from traitlets.config import Config

from grader.course.class_board import choose_name
from grader.course.records import Records
from grader.jupyter.view import ReportView
from tests.client.course_server import ADA, CourseServer
from tests.labs.example_lab import folder_of_labs

RIGHT = """from numba import cuda

@cuda.jit
def scale(x, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = x[i] * 2
"""


@pytest.fixture(scope="module")
def shell(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InteractiveShell]:
    """A shell with the extension, which keeps no history."""
    settings = Config({"HistoryManager": {"enabled": False}})
    made = InteractiveShell.instance(config=settings, ipython_dir=str(tmp_path_factory.mktemp("ipython")))
    made.run_line_magic("load_ext", "grader.jupyter")
    yield made
    InteractiveShell.clear_instance()


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("XDG_CONFIG_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(tmp_path / name))
    folder_of_labs(tmp_path)
    Path("reference", "scale", "global.py").write_text(RIGHT, encoding="utf-8")
    Path("grader.toml").write_text(
        '[labs]\nfolders = ["labs"]\n[engine]\nkind = "emulator"\n', encoding="utf-8"
    )


def test_a_cell_is_checked_on_the_public_cases(
    shell: InteractiveShell, capsys: pytest.CaptureFixture[str]
) -> None:
    view = shell.run_cell_magic("grader", "check scale --seed 7", RIGHT.replace("* 2", "* 3"))
    assert isinstance(view, ReportView)
    assert "wrong" in view.text
    assert "\x1b" not in view.text
    bundle = view._repr_mimebundle_()
    assert bundle["text/plain"] == view.text
    assert bundle["text/html"].startswith("<iframe sandbox srcdoc=")
    assert "wrong" in bundle["text/html"]
    assert "--seed 7" in capsys.readouterr().out


def test_a_cell_is_submitted_and_watched(
    shell: InteractiveShell, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "server").mkdir()
    server = CourseServer(tmp_path / "server")
    server.start()
    try:
        server.log_in(ADA)
        grading = threading.Thread(target=grade_the_next, args=(server,))
        grading.start()
        view = shell.run_cell_magic("grader", "submit scale", RIGHT)
        grading.join(60)
        assert isinstance(view, ReportView)
        assert "accepted" in view.text
        assert "srcdoc" in view._repr_mimebundle_()["text/html"]
        assert "your attempt 1 at scale" in capsys.readouterr().out
        assert "scale" in repr(shell.run_line_magic("grader", "status"))
        assert shell.run_line_magic("grader", "status 1") == view
        choose_name(server.workspace, ADA, "Lovelace", shown=True)
        assert "Lovelace" in repr(shell.run_line_magic("grader", "board scale"))
    finally:
        server.kill()


def grade_the_next(server: CourseServer) -> None:
    """Grade the first attempt as soon as it is there."""
    ends = time.monotonic() + 60
    while time.monotonic() < ends:
        with Records(server.workspace) as records:
            if records.store.attempts.recorded(ADA):
                break
        time.sleep(0.1)
    server.grade()


@pytest.mark.parametrize(
    ("line", "cell"),
    [
        ("", RIGHT),
        ("check", RIGHT),
        ("check scale --seed x", RIGHT),
        ("check scales", RIGHT),
        ("check 'scale", RIGHT),
        ("grade scale", RIGHT),
        ("submit scale", RIGHT),
        ("status x", None),
        ("status", None),
        ("check scale", None),
    ],
)
def test_what_cannot_be_done_is_one_line(shell: InteractiveShell, line: str, cell: str | None) -> None:
    run = shell.run_line_magic if cell is None else shell.run_cell_magic
    with pytest.raises(UsageError) as refused:
        run("grader", line, *([] if cell is None else [cell]))
    assert "\n" not in str(refused.value)
