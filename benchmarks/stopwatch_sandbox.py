"""How long one honest submission takes to grade, and how long was waited for its workers."""

import secrets
import threading
import time

from grader.grading.rungs import RungModules, rung_files, submission_of
from grader.grading.submission import grade
from grader.labs.registry import discover
from grader.model.submission import Language
from grader.model.verdict import Verdict
from grader.sandbox.port import Sandbox, Worker
from grader.worker.messages import WorkerSettings
from tools.forwarding_sandbox import ForwardingSandbox
from tools.messages import english

_QUIET_SECONDS = 0.2


class StopwatchSandbox(ForwardingSandbox):
    """A sandbox that times its starts: ``waited`` sums the seconds spent waiting for workers."""

    def __init__(self, inner: Sandbox) -> None:
        super().__init__(inner)
        self._lock = threading.Lock()
        self._starting = 0
        self._last_start = 0.0
        self.waited = 0.0

    def worker(self, settings: WorkerSettings) -> Worker:
        """See the port."""
        asked_at = time.perf_counter()
        with self._lock:
            self._starting += 1
        try:
            return super().worker(settings)
        finally:
            with self._lock:
                self._starting -= 1
                self._last_start = time.perf_counter()
                self.waited += self._last_start - asked_at

    def settle(self) -> None:
        """Wait until nothing is being started."""
        while self._starting or time.perf_counter() - self._last_start < _QUIET_SECONDS:
            time.sleep(_QUIET_SECONDS / 4)


def seconds_to_grade(lab_name: str, modules: RungModules) -> float:
    """Seconds that grading a lab's baseline in CUDA C takes. Raises: ``RuntimeError`` where it is not accepted."""
    lab = discover().get(lab_name)
    rung = lab.manifest.rung(lab.manifest.baseline)
    files = rung_files(lab, rung, Language.CUDA_C)
    submission = submission_of(lab, files, Language.CUDA_C, rung.name)
    started_at = time.perf_counter()
    report = grade(lab, submission, modules, secrets.randbits(128))
    seconds = time.perf_counter() - started_at
    if report.verdict is not Verdict.ACCEPTED:
        msg = f"the baseline of {lab_name} was not accepted: {english(report.reason)}"
        raise RuntimeError(msg)
    return seconds
