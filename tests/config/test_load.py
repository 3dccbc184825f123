"""A configuration is found, read, and each mistake gives one line with its location."""

from pathlib import Path

import pytest

from grader.config import Config, LabFolder, load
from grader.config.settings import KEEPS_A_GPU_BUSY, JobSettings, LimitSettings
from grader.errors import UserError


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def complaint(here: Path, content: str | bytes) -> str:
    data = content if isinstance(content, bytes) else content.encode()
    (here / "grader.toml").write_bytes(data)
    with pytest.raises(UserError) as caught:
        load()
    message = str(caught.value)
    assert "\n" not in message
    return message


def test_without_a_file_every_setting_has_its_default(here: Path) -> None:
    config = load()
    assert config == Config(base=here)
    assert config.source is None
    assert config.results_folder == here / "results"
    assert not config.scoring.modelled_speedups


@pytest.mark.parametrize(
    ("cores", "gib", "count", "on_gpu", "jobs"),
    [
        (32, 1, 0, False, 32),
        (32, 128, 0, True, KEEPS_A_GPU_BUSY),
        (2, 128, 0, True, 2),
        (16, 32, 0, True, 8),
        (16, 1, 0, True, 1),
        (16, 1, 12, True, 12),
    ],
)
def test_jobs_default_to_cores_and_are_capped_on_a_gpu(
    monkeypatch: pytest.MonkeyPatch, cores: int, gib: int, count: int, *, on_gpu: bool, jobs: int
) -> None:
    machine = {"SC_PAGE_SIZE": 4096, "SC_PHYS_PAGES": gib * 2**18}
    monkeypatch.setattr("os.sched_getaffinity", lambda _: set(range(cores)))
    monkeypatch.setattr("os.sysconf", machine.__getitem__)
    assert JobSettings(count=count).resolved(on_gpu=on_gpu) == jobs


def test_an_empty_file_is_the_defaults(here: Path) -> None:
    (here / "grader.toml").touch()
    assert load() == Config(base=here, source=here / "grader.toml")


def test_a_file_is_found_upwards_with_folders_relative_to_it(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "grader.toml").write_text(
        'results.folder = "out"\nlabs.folders = ["course/labs", "/srv/labs", "../x"]'
    )
    deep = here / "a" / "b"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    config = load()
    assert config.source == here / "grader.toml"
    assert config.results_folder == here / "out"
    assert config.lab_folders == (
        LabFolder(labs=here / "course" / "labs", reference=here / "course" / "reference"),
        LabFolder(labs=Path("/srv/labs"), reference=Path("/srv/reference")),
        LabFolder(labs=here.parent / "x", reference=here.parent / "reference"),
    )


def test_the_given_folder_is_searched_not_the_current_one(here: Path) -> None:
    (here / "grader.toml").write_text("jobs.count = 1")
    other = here / "other"
    other.mkdir()
    (other / "grader.toml").write_text("jobs.count = 2")
    assert load().jobs.count == 1
    assert load(other).jobs.count == 2
    assert load(Path("other")).base == other


def test_a_named_file_is_read_and_a_missing_one_is_one_line(here: Path) -> None:
    (here / "exam.toml").write_text("jobs.count = 3")
    assert load(here / "exam.toml").jobs.count == 3
    with pytest.raises(UserError, match=r"no configuration file nowhere\.toml"):
        load(here / "nowhere.toml")


def test_a_folder_called_like_the_file_is_not_the_file(here: Path) -> None:
    (here / "grader.toml").mkdir()
    assert load().source is None


def test_every_kind_of_value_is_read(here: Path) -> None:
    (here / "grader.toml").write_bytes(
        b"\xef\xbb\xbf# with a mark and Windows' line ends\r\n"
        b'[engine]\r\nkind = "cuda"\r\ndevice = "H200"\r\n'
        b"[limits]\r\nrun_seconds = 3\r\nsteps = 1_000\r\n"
        b"[scoring]\r\nmodelled_speedups = true\r\n"
        b'[store]\r\nurl = "sqlite:///x.sqlite"\r\n'
    )
    config = load()
    assert config.engine.kind == "cuda"
    assert config.engine.device == "H200"
    assert config.limits.run_seconds == 3.0
    assert isinstance(config.limits.run_seconds, float)
    assert config.limits.steps == 1000
    assert config.scoring.modelled_speedups
    assert config.store.url == "sqlite:///x.sqlite"


def test_a_wrong_value_is_reported_with_line_key_and_both_sides(here: Path) -> None:
    said = complaint(
        here, '# limits\n[limits]\n# run_seconds = 1\nbuild_seconds = 5\n\n\nrun_seconds = "ten"\n'
    )
    expected = 'line 7: limits.run_seconds must be a number above 0 and at most 86400, not "ten".'
    assert said == f"grader.toml {expected}"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("[limits]\nrun_seconds = 0", "line 2: limits.run_seconds must be a number above 0"),
        ("[limits]\nrun_seconds = nan", "not nan."),
        ("[limits]\nrun_seconds = inf", "not inf."),
        ("[limits]\nrun_seconds = true", "not true."),
        ("[limits]\nsteps = 1.5", "limits.steps must be a whole number from 1 to 1000000000000000, not 1.5."),
        ("[limits]\nsteps = false", "not false."),
        ("[limits]\nprocesses = -1", "not -1."),
        ("[limits]\nmax_files = 2024-01-01", "not 2024-01-01."),
        ("[limits]\nmax_files = []", "not an array."),
        ("[limits.max_files]\nx = 1", "line 1: limits.max_files must be a whole number from 1 to 1024, not a table."),
        ('[engine]\nkind = "gpu"', 'engine.kind must be one of "auto", "cuda", "emulator", not "gpu".'),
        ("[engine]\nkind = []", "not an array."),
        ('[engine]\ndevice = ""', 'engine.device must be the name of a GPU that the emulator imitates ("g80", "p100",'),
        ('[engine]\nkind = "auto"\ndevice = "Tesla T5"', "grader.toml line 3: engine.device must be the name of a GPU"),
        ('[engine]\ndevice = "Tesla T5"', '"rtx-4090", "h200"), not "Tesla T5".'),
        ("[engine]\ndevice = 4", "not 4."),
        ("[scoring]\nmodelled_speedups = 1", "scoring.modelled_speedups must be true or false, not 1."),
        ('labs.folders = "labs"', 'labs.folders must be an array of folder names, not "labs".'),
        ('[labs]\nfolders = [\n "a", # 3\n\n 3]', "line 5: labs.folders[1] must be the name of a folder"),
        ('results.folder = "a\\u0000b"', "results.folder must be the name of a folder"),
        ("limits = 3", "line 1: limits must be a table, written [limits], not 3."),
        ("\n[[limits]]", "line 2: limits must be a table, written [limits], not an array."),
        ("[limits]\nrun_second = 1", "line 2: there is no setting limits.run_second; did you mean limits.run_seconds?"),
        ("\n[limit]", "line 2: there is no setting limit; did you mean limits?"),
        ("colour = 1", "line 1: there is no setting colour; known here: labs, engine, sandbox, limits"),
        ('"a\\nb" = 1', 'there is no setting "a\\nb"; known here'),
        ("[jobs]\n'x.y' = 1", 'line 2: there is no setting jobs."x.y"; known here: count.'),
        (f'[engine]\nkind = "{"x" * 500}"', f'not "{"x" * 40}...".'),
        ("[limits]\nsteps = 1\n\nsteps = 2\n\n[jobs]", "line 4: this is not TOML: Cannot overwrite a value"),
        ("[jobs]\ncount = 1\ncount 2", "line 3: this is not TOML: Expected '=' after a key"),
        ('[store]\nurl = "abc', "line 2: this is not TOML"),
        ("[store]\nurl =", "line 2: this is not TOML"),
        ("\x00", "line 1: this is not TOML: Invalid statement (column 1)."),
        ('[store]\nurl = """\nabc\n', "line 3: this is not TOML (found at the end of the file): Unterminated string."),
        ("steps = 1" + "0" * 5000, "holds a number with thousands of digits"),
        ("x = " + "[" * 20_000, "is nested too deeply"),
    ],
)  # fmt: skip
def test_a_mistake_is_one_line(here: Path, content: str, said: str) -> None:
    assert said in complaint(here, content)


def test_a_file_in_another_encoding_is_refused_with_its_line(here: Path) -> None:
    said = complaint(here, b"[engine]\n# caf\xe9\n")
    assert said == "grader.toml line 2: not UTF-8 (byte 0xe9); save the file as UTF-8."


def test_an_enormous_file_is_not_read(here: Path) -> None:
    with (here / "grader.toml").open("wb") as file:
        file.truncate(1 << 40)
    with pytest.raises(UserError, match="larger than 1 MiB"):
        load()


def test_a_file_that_cannot_be_read_is_one_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "grader.toml").touch()

    def denied(*_args: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", denied)
    with pytest.raises(UserError, match=r"^grader\.toml cannot be read: Permission denied\.$"):
        load()


@pytest.mark.parametrize("name", ["t4", "T4", "tesla t4", "GeForce RTX 4090"])
def test_a_device_is_known_by_either_of_its_names(here: Path, name: str) -> None:
    (here / "grader.toml").write_text(f'engine.device = "{name}"')
    assert load().engine.device == name


def test_a_current_directory_that_is_gone_is_one_line(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = here / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(
        UserError, match=r"^The current directory cannot be used: No such file or directory\."
    ):
        load()


def test_a_folder_above_that_cannot_be_looked_into_is_one_line(
    here: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def denied(*_args: object) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", denied)
    with pytest.raises(
        UserError, match=r"^grader\.toml cannot be looked for in \. and above: Permission denied"
    ):
        load(here)


def test_a_name_that_is_too_long_is_one_line(here: Path) -> None:
    with pytest.raises(UserError, match="File name too long"):
        load(here / ("x" * 300))


def test_a_file_elsewhere_is_named_with_its_folder(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (here / "grader.toml").write_text("limits = 3")
    (here / "inner").mkdir()
    monkeypatch.chdir(here / "inner")
    with pytest.raises(UserError) as caught:
        load()
    assert str(caught.value).startswith(f"{here}/grader.toml line 1: ")


def test_limits_are_tightened_and_never_loosened() -> None:
    course = LimitSettings(run_seconds=5.0, memory_mib=1024)
    assert course.within({"run_seconds": 2, "memory_mib": 4096}) == LimitSettings(
        run_seconds=2, memory_mib=1024
    )
    assert course.within({}) == course
