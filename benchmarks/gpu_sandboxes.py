"""The sample class's hand-ins of some labs, graded on a GPU inside each sandbox that this machine has.

``python -m benchmarks.gpu_sandboxes FOLDER [--labs LAB...] [--sandboxes KIND...]`` writes ``gpu-sandboxes.json`` into
``FOLDER``, anew after every submission: verdict, score and seconds of each, what a sandbox says that it cannot promise,
and what Docker's engine says of a container that holds the GPU. It ends with 1 where verdicts are not those of
``submissions/expected.toml``.
"""

import argparse
import json
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

import docker

from grader.config.settings import LimitSettings, SandboxChoice, SandboxSettings
from grader.grading.bench import Bench
from grader.grading.rungs import RungModules
from grader.grading.submission import grade
from grader.intake.collect import collect
from grader.labs.builtin import catalogue
from grader.labs.registry import discover
from grader.model.run import EngineKind
from grader.sandbox.choice import offers_of, open_sandbox
from grader.worker.messages import WorkerRole
from tests.gpu.provenance import provenance

ROOT = Path(__file__).parents[1]

OLDEST = ("matmul", "transpose", "row-sum")

SEED = 20_261_123
"""Draws the inputs of every case."""

_SHOWN = (
    *("NetworkMode", "ReadonlyRootfs", "CapDrop", "IpcMode", "PidMode", "PidsLimit", "Memory", "MemorySwap"),
    *(
        "NanoCpus",
        "Ulimits",
        "Tmpfs",
        "ShmSize",
        "Devices",
        "DeviceRequests",
        "Mounts",
        "Binds",
        "Privileged",
    ),
)
"""Of what the engine knows of a container's set-up."""


def main() -> int:
    """Grade, write, compare."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--labs", nargs="+", default=OLDEST)
    parser.add_argument("--sandboxes", nargs="+", default=["process", "bubblewrap", "docker"])
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    document: dict[str, Any] = {"schema_version": 1, "provenance": None, "sandboxes": {}}
    offers = {offer.kind: offer for offer in offers_of(SandboxSettings())}
    for kind in map(SandboxChoice, asked.sandboxes):
        record: dict[str, Any] = {"submissions": []}
        document["sandboxes"][kind.value] = record
        if kind in offers:
            if problem := offers[kind].unavailable():
                record["unavailable"] = problem
                continue
            record["weaknesses"] = list(offers[kind].weaknesses())
        with closing(open_sandbox(kind, SandboxSettings(), None)) as sandbox:
            bench = Bench.open(sandbox, EngineKind.CUDA, "Tesla T4", LimitSettings(), modelled_counts=False)
            document["provenance"] = document["provenance"] or provenance(bench.device, ROOT)
            if kind is SandboxChoice.DOCKER:
                record["container"] = _container(bench)
            for row in _graded(bench, asked.labs):
                record["submissions"].append(row)
                (asked.folder / "gpu-sandboxes.json").write_text(json.dumps(document, indent=1) + "\n")
                sys.stdout.write(
                    f"{kind} {row['lab']} {row['student']}: {row['verdict']} in {row['seconds']} s\n"
                )
                sys.stdout.flush()
    return (
        0
        if all(row["as_expected"] for each in document["sandboxes"].values() for row in each["submissions"])
        else 1
    )


def _container(bench: Bench) -> dict[str, Any]:
    """How the engine runs a worker that holds the GPU."""
    client = docker.from_env()
    before = {each.id for each in client.containers.list()}
    with bench._worker(WorkerRole.RUN):  # noqa: SLF001 - what a submission gets
        (of_worker,) = (each for each in client.containers.list() if each.id not in before)
        host = of_worker.attrs["HostConfig"]
        security = [option.partition("=")[0] for option in host["SecurityOpt"]]
        return {name: host[name] for name in _SHOWN if name in host} | {
            "User": of_worker.attrs["Config"]["User"],
            "SecurityOpt": security,
        }


def _graded(bench: Bench, names: Sequence[str]) -> Iterator[dict[str, Any]]:
    table = tomllib.loads((ROOT / "submissions" / "expected.toml").read_text(encoding="utf-8"))["expected"]
    expected = {(row["lab"], row["student"]): row["verdict"] for row in table}
    registry = discover([catalogue()])
    rungs = RungModules(bench)
    for name in names:
        intake = collect(ROOT / "submissions", labs=registry.labs, lab=name, limits=LimitSettings())
        for submission in intake.submissions:
            began = time.monotonic()
            report = grade(registry.get(name), submission, rungs, SEED)
            yield {
                "lab": name,
                "student": submission.student,
                "language": str(submission.language),
                "verdict": str(report.verdict),
                "reason": report.reason,
                "score": report.score,
                "seconds": round(time.monotonic() - began, 2),
                "as_expected": str(report.verdict) == expected[name, submission.student],
            }


if __name__ == "__main__":
    sys.exit(main())
