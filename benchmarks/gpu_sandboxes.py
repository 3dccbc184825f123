"""The sample class's submissions of some labs, graded on a GPU inside each sandbox that this machine has.

``python -m benchmarks.gpu_sandboxes FOLDER [--labs LAB...] [--sandboxes KIND...] [--jobs N]`` writes
``gpu-sandboxes.json`` into ``FOLDER``, updated after each submission: verdict, score and seconds of each, with those in
which it waited for the GPU, how long all took together, what a sandbox says that it cannot promise, and what Docker's
engine says of a container that holds the GPU. It ends with 1 where verdicts are not those of
``submissions/expected.toml``. ``N`` submissions are graded side by side.
"""

import argparse
import sys
import threading
import time
import tomllib
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docker

from grader.config.settings import LimitSettings, SandboxSettings
from grader.grading.batch import Batch, Graded
from grader.grading.environment import GradingEnvironment
from grader.intake.collect import collect
from grader.labs.builtin import catalogue
from grader.labs.registry import discover
from grader.model.run import EngineKind
from grader.sandbox.builtin import DOCKER
from grader.sandbox.choice import offers_of, open_sandbox
from grader.worker.messages import WorkerRole
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT

OLDEST = ("matmul", "transpose", "row-sum")

_SHOWN = (
    "NetworkMode",
    "ReadonlyRootfs",
    "CapDrop",
    "IpcMode",
    "PidMode",
    "PidsLimit",
    "Memory",
    "MemorySwap",
    "NanoCpus",
    "Ulimits",
    "Tmpfs",
    "ShmSize",
    "Devices",
    "DeviceRequests",
    "Mounts",
    "Binds",
    "Privileged",
)
"""Of what the engine knows of a container's set-up."""


def main() -> int:
    """Grade, write, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labs", nargs="+", default=OLDEST)
    parser.add_argument("--jobs", type=int, default=8)
    parser.add_argument("--sandboxes", nargs="+", default=["process", "bubblewrap", "docker"])
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    document: dict[str, Any] = {"schema_version": 1, "provenance": None, "sandboxes": {}}
    settings = SandboxSettings()
    offers = {offer.name: offer for offer in offers_of(settings)}
    for kind in asked.sandboxes:
        record: dict[str, Any] = {"submissions": []}
        document["sandboxes"][kind] = record
        if problem := offers[kind].unavailable():
            record["unavailable"] = problem
            continue
        record["weaknesses"] = list(offers[kind].weaknesses())
        with closing(open_sandbox(offers[kind], settings, None)) as sandbox:
            environment = GradingEnvironment.open(
                sandbox, EngineKind.CUDA, "Tesla T4", LimitSettings(), modelled_counts=False
            )
            document["provenance"] = document["provenance"] or provenance(environment.device, CHECKOUT)
            if kind == DOCKER:
                record["container"] = _container(environment)
            log = _Log(asked.folder / "gpu-sandboxes.json", document, kind, time.monotonic())
            _graded(environment, asked.labs, asked.jobs, log.keep)
    rows = [row for each in document["sandboxes"].values() for row in each["submissions"]]
    return 0 if all(row["as_expected"] for row in rows) else 1


@dataclass(frozen=True, slots=True)
class _Log:
    """Writes ``document`` to ``path`` after every submission that is graded in a sandbox of ``kind``."""

    path: Path
    document: dict[str, Any]
    kind: str
    began: float

    def keep(self, row: dict[str, Any]) -> None:
        """One more; and say so."""
        record = self.document["sandboxes"][self.kind]
        record["submissions"].append(row)
        record["seconds"] = round(time.monotonic() - self.began, 1)
        pages.keep(self.document, self.path)
        line = f"{self.kind} {row['lab']} {row['student']}: {row['verdict']} after {record['seconds']} s"
        sys.stdout.write(line + "\n")
        sys.stdout.flush()


def _container(environment: GradingEnvironment) -> dict[str, Any]:
    """How the engine runs a worker that holds the GPU."""
    client = docker.from_env()
    before = {each.id for each in client.containers.list()}
    with environment._worker(WorkerRole.RUN):  # noqa: SLF001 - what a submission gets
        (of_worker,) = (each for each in client.containers.list() if each.id not in before)
        host = of_worker.attrs["HostConfig"]
        security = [option.partition("=")[0] for option in host["SecurityOpt"]]
        return {name: host[name] for name in _SHOWN if name in host} | {
            "User": of_worker.attrs["Config"]["User"],
            "SecurityOpt": security,
        }


def _graded(
    environment: GradingEnvironment, names: Sequence[str], jobs: int, keep: Callable[[dict[str, Any]], None]
) -> None:
    table = tomllib.loads((CHECKOUT / "submissions" / "expected.toml").read_text(encoding="utf-8"))[
        "expected"
    ]
    expected = {(row["lab"], row["student"]): row["verdict"] for row in table}
    registry = discover([catalogue()])
    submissions = [
        submission
        for name in names
        for submission in collect(
            CHECKOUT / "submissions", labs=registry.labs, lab=name, limits=LimitSettings()
        ).submissions
    ]

    def row(graded: Graded) -> None:
        report = graded.report
        keep(
            {
                "lab": report.lab,
                "student": report.student,
                "language": str(report.language),
                "verdict": str(report.verdict),
                "reason": report.reason,
                "score": report.score,
                "seconds": round(graded.seconds, 2),
                "as_expected": str(report.verdict) == expected[report.lab, report.student],
            }
        )

    batch = Batch(dict(registry.labs), environment, jobs, threading.Event())
    batch.run(submissions, row, lambda _: None)


if __name__ == "__main__":
    sys.exit(main())
