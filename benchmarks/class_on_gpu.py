"""How long a mixed class takes on one GPU, how busy the GPU is, and what the rest of the time is spent on.

``python -m benchmarks.class_on_gpu FOLDER [--lab NAME]... [--count N] [--single N] [--sandbox KIND]...`` grades ``N``
submissions (300; ``benchmarks.mixed_class``) of each lab in each sandbox (``process``) as ``grader grade`` does, then
``--single`` further ones of each lab one after another on warm workers. It writes ``class-on-gpu.json`` into
``FOLDER`` after every few submissions, so a run that a time limit ends leaves what it found. ``--engine emulator``
tries it without a GPU. ``--gpu-workers 1`` has nothing of the next submission on the GPU while one is timed.
``--compare FORMER.json`` adds the ratios to a former record on the same machine, and lists the
submissions with another verdict or score.
"""

import argparse
import json
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from benchmarks.gpu_class_record import ClassRun, as_document, compared, missed, percentiles, summary
from benchmarks.gpu_share import GpuShare
from benchmarks.mixed_class import LABS, write_class
from benchmarks.request_spans import SpanTimes, WatchedSandbox
from grader.config.settings import JobSettings, LimitSettings, SandboxSettings
from grader.grading.batch import Batch, Graded
from grader.grading.environment import GradingEnvironment
from grader.intake.collect import collect
from grader.labs.registry import Registry, discover
from grader.model.run import EngineKind
from grader.model.submission import Submission
from grader.sandbox.choice import choose, offers_of, open_sandbox
from grader.sandbox.gpu import chosen_uuid
from tools import pages
from tools.machine import machine_provenance

RECORD = "class-on-gpu.json"
_KEPT_EVERY_SECONDS = 5.0


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What the command line asks for."""

    folder: Path
    labs: Sequence[str]
    sandboxes: Sequence[str]
    engine: EngineKind
    count: int
    single: int
    jobs: int
    gpu_workers: int
    compare: Path | None


class Measurement:
    """Grades the classes and keeps the record."""

    def __init__(self, asked: Asked, classes: Path) -> None:
        self._asked = asked
        self._classes = classes
        self._registry: Registry = discover()
        self._kept = 0.0
        self.record: dict[str, Any] = {
            "schema_version": 1,
            "provenance": machine_provenance(),
            "engine": str(asked.engine),
            "gpu_workers": asked.gpu_workers,
            "runs": [],
            "singles": [],
        }

    def in_sandbox(self, kind: str) -> None:
        """Grade every lab's class in the sandbox ``kind``. Raises: ``UserError`` where this machine lacks it."""
        settings = SandboxSettings(kind=kind, gpu_workers=self._asked.gpu_workers)
        offer = choose(kind, trusted=True, offers=offers_of(settings))
        with closing(WatchedSandbox(open_sandbox(offer, settings, None))) as sandbox:
            environment = GradingEnvironment.open(
                sandbox, self._asked.engine, "Tesla T4", LimitSettings(), modelled_counts=True
            )
            self.record["provenance"]["device"] = environment.device.name
            # The rungs are built once for a course, and a worker of each kind starts for the first submission.
            self._grade(environment, self._submissions("warm", 2), 2, lambda _: None)
            for lab in self._asked.labs:
                self._class(environment, sandbox, lab)
                if self._asked.single:
                    self._singles(environment, sandbox, lab)

    def keep(self, *, now: bool = True) -> None:
        """Write the record, unless it was just written and need not be ``now``."""
        if now or time.monotonic() - self._kept > _KEPT_EVERY_SECONDS:
            self._kept = time.monotonic()
            document = self.record | {"runs": [as_document(run) for run in self.record["runs"]]}
            if self._asked.compare is not None:
                former = json.loads(self._asked.compare.read_text(encoding="utf-8"))
                document["compared"] = compared(former, document)
            pages.keep(document, self._asked.folder / RECORD)

    def _class(self, environment: GradingEnvironment, sandbox: WatchedSandbox, lab: str) -> None:
        submissions = self._submissions("class", self._asked.count, lab)
        sandbox.spans = SpanTimes()
        with GpuShare(chosen_uuid()) as share:
            run = ClassRun(lab, sandbox.name, len(submissions), self._asked.jobs, sandbox.spans, nvml=share)
            self.record["runs"].append(run)

            def keep(graded: Graded) -> None:
                run.add(graded)
                seconds = time.monotonic() - run.started
                _say(
                    f"{run.sandbox} {lab} {len(run.rows)}/{run.count} {graded.report.verdict} {seconds:.1f} s"
                )
                self.keep(now=False)

            self._grade(environment, submissions, self._asked.jobs, keep)
            done = run.document()
        self.record["runs"][-1] = done
        self.keep()
        _say(summary(done))

    def _singles(self, environment: GradingEnvironment, sandbox: WatchedSandbox, lab: str) -> None:
        sandbox.spans = SpanTimes()
        seconds: list[float] = []
        for submission in self._submissions("single", self._asked.single, lab, seed=2):
            started = time.monotonic()
            self._grade(environment, [submission], 1, lambda _: None)
            seconds.append(time.monotonic() - started)
            _say(f"{sandbox.name} {lab} single {len(seconds)}: {seconds[-1]:.2f} s")
        self.record["singles"].append(
            {
                "lab": lab,
                "sandbox": sandbox.name,
                "seconds": seconds,
                **percentiles(seconds),
                "stages": {name: asdict(spent) for name, spent in sandbox.spans.spent().items()},
            }
        )
        self.keep()

    def _grade(
        self, environment: GradingEnvironment, submissions: list[Submission], jobs: int, keep: Any
    ) -> None:
        batch = Batch(dict(self._registry.labs), environment, jobs, threading.Event(), _say)
        batch.run(submissions, keep, lambda _: None)

    def _submissions(self, name: str, count: int, lab: str = "", seed: int = 1) -> list[Submission]:
        """``count`` submissions of ``lab``, or of each lab that is asked for; none of another name is the same."""
        labs = [lab] if lab else list(self._asked.labs)
        folder = (
            self._classes / f"{name}-{lab}"
        )  # not the name of a lab alone, which would stand for its class
        if not folder.exists():
            write_class(folder, count if lab else count * len(labs), seed, labs)
        found = [
            each
            for one in labs
            for each in collect(folder, labs=self._registry.labs, lab=one, limits=LimitSettings()).submissions
        ]
        if len(found) != (count if lab else count * len(labs)):
            msg = f"{len(found)} submissions were found in {folder}, not {count} of each lab"
            raise RuntimeError(msg)
        return found


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


def main() -> int:
    """Measure, and write the record. Returns: 1 if a goal was missed."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("folder", type=Path)
    options.add_argument("--lab", action="append")
    options.add_argument("--sandbox", action="append")
    options.add_argument("--engine", default=str(EngineKind.CUDA))
    options.add_argument("--count", type=int, default=300)
    options.add_argument("--single", type=int, default=0)
    options.add_argument("--jobs", type=int, default=0)
    options.add_argument("--gpu-workers", type=int, default=0)
    options.add_argument("--compare", type=Path)
    given = options.parse_args()
    engine = EngineKind(given.engine)
    asked = Asked(
        folder=given.folder,
        labs=given.lab or LABS,
        sandboxes=given.sandbox or ["process"],
        engine=engine,
        count=given.count,
        single=given.single,
        jobs=given.jobs or JobSettings().resolved(on_gpu=engine == EngineKind.CUDA),
        gpu_workers=given.gpu_workers,
        compare=given.compare,
    )
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as classes:
        measurement = Measurement(asked, Path(classes))
        for kind in asked.sandboxes:
            measurement.in_sandbox(kind)
    for line in (found := missed(measurement.record)):
        _say(f"missed: {line}")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
