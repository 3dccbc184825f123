"""``%%grader`` in IPython's shell."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from IPython.core.error import UsageError
from IPython.core.interactiveshell import InteractiveShell

from grader.jupyter.view import ReportView
from tests.labs.example_lab import folder_of_labs

RIGHT = """from numba import cuda

@cuda.jit
def scale(x, y, n):
    i = cuda.grid(1)
    if i < n:
        y[i] = x[i] * 2
"""


@pytest.fixture(scope="session")
def shell() -> InteractiveShell:
    """A shell with the extension."""
    made = InteractiveShell.instance()
    made.run_line_magic("load_ext", "grader.jupyter")
    return made


@pytest.fixture(autouse=True)
def _course(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    folder_of_labs(tmp_path)
    Path("reference", "scale", "global.py").write_text(RIGHT, encoding="utf-8")
    Path("grader.toml").write_text(
        '[labs]\nfolders = ["labs"]\n[engine]\nkind = "emulator"\n', encoding="utf-8"
    )
    yield
    InteractiveShell.clear_instance()


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
