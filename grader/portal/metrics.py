"""What a server counted, and the state of the course, as Prometheus reads it."""

import threading
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import msgspec

from grader.course.operations import Operations

TYPE = "text/plain; version=0.0.4; charset=utf-8"
"""The media type of Prometheus' text format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metric:
    """A metric with its samples: a value for each set of labels."""

    name: str
    kind: str
    help: str
    samples: Mapping[tuple[tuple[str, str], ...], float]

    def lines(self) -> Iterator[str]:
        """The metric in Prometheus' text format."""
        yield f"# HELP {self.name} {self.help}"
        yield f"# TYPE {self.name} {self.kind}"
        for labels, value in self.samples.items():
            shown = ",".join(f'{name}="{_escaped(text)}"' for name, text in labels)
            yield f"{self.name}{{{shown}}} {value:g}" if shown else f"{self.name} {value:g}"


class CountsDocument(msgspec.Struct, kw_only=True):
    """Counts as one process writes them for the others: answers by page and status, and seconds by page."""

    answers: list[tuple[str, str, int]]
    seconds: list[tuple[str, float]]


class RequestCounts:
    """Answered requests. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._answers: Counter[tuple[str, str]] = Counter()
        self._seconds: dict[str, float] = defaultdict(float)

    def add(self, page: str, status: int, seconds: float) -> None:
        """Count one answer."""
        with self._lock:
            self._answers[page, str(status)] += 1
            self._seconds[page] += seconds

    def document(self) -> CountsDocument:
        """The counts now."""
        with self._lock:
            return CountsDocument(
                answers=[(page, status, count) for (page, status), count in self._answers.items()],
                seconds=list(self._seconds.items()),
            )

    def add_all(self, counted: CountsDocument) -> None:
        """Count what was ``counted`` elsewhere."""
        with self._lock:
            for page, status, count in counted.answers:
                self._answers[page, status] += count
            for page, seconds in counted.seconds:
                self._seconds[page] += seconds

    def metrics(self) -> tuple[Metric, ...]:
        """The metrics about requests."""
        counted = self.document()
        return (
            Metric(
                name="grader_requests_total",
                kind="counter",
                help="Answers by page, summed over the processes of the server.",
                samples={
                    (("page", page), ("status", status)): count for page, status, count in counted.answers
                },
            ),
            Metric(
                name="grader_request_seconds_total",
                kind="counter",
                help="Time until answers ended, by page, summed over the processes of the server.",
                samples={(("page", page),): seconds for page, seconds in counted.seconds},
            ),
        )


def of_operations(state: Operations) -> tuple[Metric, ...]:
    """The metrics about queue and workers."""
    lanes = [((("lane", lane.lane.name.lower()),), lane) for lane in state.lanes]
    busy = sum(not each.is_idle for each in state.workers)
    oldest = 0.0 if state.oldest is None else state.oldest.timestamp()
    gauges: tuple[tuple[str, str, Mapping[tuple[tuple[str, str], ...], float]], ...] = (
        ("grader_jobs_waiting", "Jobs that wait.", {labels: lane.waiting for labels, lane in lanes}),
        ("grader_jobs_running", "Jobs that run.", {labels: lane.running for labels, lane in lanes}),
        ("grader_jobs_failed", "Jobs that wait for a person.", {(): len(state.failed)}),
        ("grader_jobs_retried", "Unfinished jobs that were lost before.", {(): len(state.retried)}),
        ("grader_job_oldest_timestamp_seconds", "When the oldest waiting job came; 0: none.", {(): oldest}),
        ("grader_workers", "Workers.", {(): len(state.workers)}),
        ("grader_workers_busy", "Workers that run a job or get none.", {(): busy}),
        ("grader_dispatcher_up", "Whether a dispatcher serves the queue.", {(): state.seen is not None}),
    )
    return tuple(Metric(name=name, kind="gauge", help=text, samples=values) for name, text, values in gauges)


def text_of(metrics: tuple[Metric, ...]) -> str:
    """``metrics`` in Prometheus' text format."""
    return "".join(f"{line}\n" for metric in metrics for line in metric.lines())


def _escaped(text: str) -> str:
    return text.replace("\\", r"\\").replace("\n", r"\n").replace('"', r"\"")
