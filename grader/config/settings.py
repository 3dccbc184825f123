"""Every setting of ``grader.toml`` with its default and the rule for its value.

A class here is a table of the file, a field is a key; ``docs/reference/grader-toml.md`` explains each.
"""

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Self

from grader.config.portal_settings import PortalSettings
from grader.config.rules import (
    device,
    number_above,
    one_of,
    one_of_installed,
    table_of,
    text,
    texts,
    whole_number,
    yes_or_no,
)
from grader.config.table import Table
from grader.messages import LANGUAGES

MIB = 2**20
"""Bytes in one unit of the settings that end in ``mib``."""

_DAY = 24 * 60 * 60


AUTO = "auto"
"""The word that leaves a choice to Grader.

Of engines, it is a GPU where there is one; of sandboxes, the strongest there is, or for trusted code the fastest.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabFolder:
    """A folder of lab folders, and the folder beside it that holds their rungs."""

    labs: Path
    reference: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class LabSettings:
    """``[labs]``: folders of lab plugins besides the installed ones."""

    folders: tuple[str, ...] = field(
        default=(), metadata=texts("an array of folder names", "the name of a folder, in quotes")
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class EngineSettings:
    """``[engine]``: where kernels run. ``device`` is the GPU that the emulator imitates."""

    kind: str = field(default=AUTO, metadata=one_of_installed("grader.engines", AUTO))
    device: str = field(default="Tesla T4", metadata=device())


@dataclass(frozen=True, slots=True, kw_only=True)
class SandboxSettings:
    """``[sandbox]``: where students' code is built and run. ``spare`` workers of each kind are started ahead.

    ``gpu_workers`` are there at once on a GPU, of which one runs kernels; 0: as many as its memory has room for.
    """

    kind: str = field(default=AUTO, metadata=one_of_installed("grader.sandboxes", AUTO))
    image: str = field(default="grader-worker", metadata=text("the name of a container image, in quotes"))
    spare: int = field(default=2, metadata=whole_number(0, 64))
    gpu_workers: int = field(default=0, metadata=whole_number(0, 64))


@dataclass(frozen=True, slots=True, kw_only=True)
class LimitSettings:
    """``[limits]``: the limits of one submission, in seconds of wall time, mebibytes, kibibytes and counts."""

    build_seconds: float = field(default=60.0, metadata=number_above(0, _DAY))
    run_seconds: float = field(default=10.0, metadata=number_above(0, _DAY))
    submission_seconds: float = field(default=60.0, metadata=number_above(0, _DAY))
    memory_mib: int = field(default=4096, metadata=whole_number(256, 1 << 20))
    processes: int = field(default=64, metadata=whole_number(1, 65536))
    open_files: int = field(default=256, metadata=whole_number(32, 65536))
    file_mib: int = field(default=64, metadata=whole_number(1, 1 << 20))
    scratch_mib: int = field(default=256, metadata=whole_number(16, 1 << 20))
    cpus: float = field(default=1.0, metadata=number_above(0, 1024))
    output_mib: int = field(default=256, metadata=whole_number(1, 1 << 16))
    steps: int = field(default=200_000_000, metadata=whole_number(1, 10**15))
    max_source_kib: int = field(default=256, metadata=whole_number(1, 1 << 16))
    max_files: int = field(default=32, metadata=whole_number(1, 1024))

    def within(self, tighter: Mapping[str, float]) -> Self:
        """These limits, each lowered to that of ``tighter`` if it has one."""
        return replace(self, **{name: min(getattr(self, name), most) for name, most in tighter.items()})


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSettings:
    """``[scoring]``: whether a speedup from the cost model earns the rubric's speed points."""

    modelled_speedups: bool = field(default=False, metadata=yes_or_no())


KEEPS_A_GPU_BUSY = 16
"""Submissions at once on a GPU, where one kernel runs at a time: the others are built, get ready or are observed."""

_BYTES_PER_JOB = 4 * 2**30
"""Each that is ready has inputs of a GPU's size in memory, which may be two gigabytes, and sends them to its worker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobSettings:
    """``[jobs]``: how many submissions are graded at once; 0 means one per core this process may use.

    On a GPU 0 means no more than keep it busy, and than this machine's memory has room for.
    """

    count: int = field(default=0, metadata=whole_number(0, 1024))

    def resolved(self, *, on_gpu: bool) -> int:
        """The number to start, at least 1."""
        cores = len(os.sched_getaffinity(0))
        if self.count or not on_gpu:
            return self.count or cores
        memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return max(1, min(cores, KEEPS_A_GPU_BUSY, memory // _BYTES_PER_JOB))


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSettings:
    """``[results]``: where ``results.json``, ``grades.csv`` and ``report.html`` go, and the language of reports.

    ``languages`` has the students who chose another one, ``comments`` the texts that staff put at lines by name.
    """

    folder: str = field(default="results", metadata=text("the name of a folder, in quotes"))
    language: str = field(default="", metadata=one_of("", *LANGUAGES))
    languages: Mapping[str, str] = field(
        default_factory=dict,
        metadata=table_of("a table of students, written [results.languages]", one_of(*LANGUAGES)),
    )
    comments: Mapping[str, str] = field(
        default_factory=dict,
        metadata=table_of("a table of comments, written [results.comments]", text("a comment, in quotes")),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class ExecutionSettings:
    """``[execution]``: how the jobs of the queue reach devices.

    ``devices`` are parts of ids or models of this host's devices, or ``cpu``; empty: all. ``slots`` submissions are
    graded at once on each device; 0: as ``[jobs]`` says. A worker that is idle for ``idle_seconds`` ends. The other
    settings are those of the executor ``parsl``: ``model`` and ``memory_mib`` describe the devices of a cluster.
    """

    executor: str = field(default="", metadata=one_of_installed("grader.executors", ""))
    devices: tuple[str, ...] = field(
        default=(), metadata=texts("an array of devices", "a part of the id or model of a device, or cpu")
    )
    slots: int = field(default=0, metadata=whole_number(0, 1024))
    idle_seconds: float = field(default=60.0, metadata=number_above(0, _DAY))
    provider: str = field(default="local", metadata=one_of("local", "slurm", "pbs", "kubernetes", "hand"))
    address: str = field(default="", metadata=text("the address that workers reach, or empty", empty=True))
    port: int = field(default=54320, metadata=whole_number(1024, 65535))
    blocks: int = field(default=1, metadata=whole_number(1, 4096))
    engine: str = field(default="cuda", metadata=one_of_installed("grader.engines"))
    model: str = field(default="", metadata=text("the model of the devices, or empty", empty=True))
    memory_mib: int = field(default=0, metadata=whole_number(0, 1 << 30))
    capability: str = field(default="", metadata=text("a compute capability, or empty", empty=True))
    queue: str = field(default="", metadata=text("the name of a queue or partition, or empty", empty=True))
    options: tuple[str, ...] = field(
        default=(), metadata=texts("an array of lines for the batch system", "one line of its options")
    )
    before: str = field(default="", metadata=text("shell commands before a worker, or empty", empty=True))
    walltime: str = field(default="01:00:00", metadata=text("a time such as 01:00:00"))
    image: str = field(default="", metadata=text("the image of the workers, or empty", empty=True))
    folder: str = field(default=".grader/workers", metadata=text("the name of a folder, in quotes"))


class PublicName(StrEnum):
    """The published name of a student who did not choose one."""

    NAME = "name"
    ANONYMOUS = "anonymous"


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaderboardSettings:
    """``[leaderboard]``: the file with the names that students chose, and the names of the others."""

    names: str = field(default="", metadata=text("the name of a file, in quotes, or empty", empty=True))
    default: PublicName = field(default=PublicName.NAME, metadata=one_of(*PublicName))


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreSettings:
    """``[store]``: the database of finished reports, as a URL; ``grader.store.sql_store.open_store`` opens it.

    ``keep``: how many results of each student's work on a lab stay; 0 keeps all.
    """

    url: str = field(
        default="", metadata=text("a database URL in quotes, or empty for the default", empty=True)
    )
    keep: int = field(default=0, metadata=whole_number(0, 1_000_000))


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """Everything that can be set. Names of folders inside are relative to ``base``.

    ``base`` is the absolute folder of ``source``, the file that was read; without one, where it was looked for.
    ``overlays`` has the table ``[labs.<name>]`` of each lab that the course changes; ``labs.overlay`` reads them.
    """

    base: Path
    source: Path | None = None
    overlays: Mapping[str, Table] = field(default_factory=dict)
    labs: LabSettings = LabSettings()
    engine: EngineSettings = EngineSettings()
    sandbox: SandboxSettings = SandboxSettings()
    limits: LimitSettings = LimitSettings()
    scoring: ScoringSettings = ScoringSettings()
    jobs: JobSettings = JobSettings()
    results: ResultSettings = ResultSettings()
    leaderboard: LeaderboardSettings = LeaderboardSettings()
    store: StoreSettings = StoreSettings()
    execution: ExecutionSettings = ExecutionSettings()
    portal: PortalSettings = field(default_factory=PortalSettings)

    @property
    def lab_folders(self) -> tuple[LabFolder, ...]:
        """The extra lab folders, absolute; their rungs lie in the folder ``reference`` beside each."""
        folders = (self._absolute(name) for name in self.labs.folders)
        return tuple(LabFolder(labs=folder, reference=folder.parent / "reference") for folder in folders)

    @property
    def results_folder(self) -> Path:
        """Where results are written, absolute."""
        return self._absolute(self.results.folder)

    @property
    def names_file(self) -> Path | None:
        """The file with the names that students chose, absolute, if there is one."""
        return self._absolute(self.leaderboard.names) if self.leaderboard.names else None

    def _absolute(self, name: str) -> Path:
        return Path(os.path.abspath(self.base / Path(name).expanduser()))  # noqa: PTH100 - keeps links, drops ".."


SECTIONS: dict[str, type] = {
    "labs": LabSettings,
    "engine": EngineSettings,
    "sandbox": SandboxSettings,
    "limits": LimitSettings,
    "scoring": ScoringSettings,
    "jobs": JobSettings,
    "results": ResultSettings,
    "leaderboard": LeaderboardSettings,
    "store": StoreSettings,
    "execution": ExecutionSettings,
    "portal": PortalSettings,
}
"""The tables of the file, by name."""

OVERLAID = "labs"
"""The table with one more table inside for each lab that the course changes."""
