"""How large the class page is, how long it takes to write, and how long Chromium takes to open and use it.

``python -m benchmarks.class_page_speed`` writes classes of several sizes, opens each page in headless Chromium at the
size of a desktop and of a phone, and writes ``results/class-page.json`` and the table in
``benchmarks/tables/class-page.md``. ``--rounds N``: how often each page is opened. It needs ``chromium``.

Each page is in a frame of the size of the window. *Opened* is from the start of the frame's navigation to the laid-out
page, scripts included; the other times are from an event to the new layout.
"""

import argparse
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from grader.model.reason import as_written
from grader.model.report import (
    CaseReport,
    EngineInfo,
    KernelReport,
    Part,
    Report,
    ResultsDocument,
    Speedup,
    SpeedupKind,
    Visibility,
)
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile
from grader.model.verdict import Verdict
from grader.report.pages import class_page
from tools import pages
from tools.browser import Frame, observe, version
from tools.machine import machine_provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "class-page.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "class-page.md"
SECTION = "class-page"

CLASSES = ((10, 3), (100, 8), (1000, 8))
"""Students and labs of each class."""

WINDOWS = {"desktop": (1280, 800), "phone": (390, 844)}
"""Width and height in pixels."""

MOST_BYTES, MOST_SECONDS = 3_000_000, 2.0
"""The limits for the page of every class here, and for opening it."""

ROUNDS = 5

_BAD = (Verdict.WRONG, Verdict.FAILED_TO_BUILD, Verdict.CRASHED, Verdict.TIMED_OUT, Verdict.SUSPICIOUS)
_SOURCE = CHECKOUT / "reference" / "row-sum" / "shared.cu"

_PROBE = """
  const timed = (action) => {
    const start = page.performance.now();
    action();
    document.body.offsetHeight;
    return page.performance.now() - start;
  };
  document.body.offsetHeight;
  found.opened = page.performance.now();
  const find = document.getElementById("find");
  const type = (text) => { find.value = text; find.dispatchEvent(new page.Event("input")); };
  found.search = timed(() => type("student-7"));
  type("");
  found.filter = timed(() => document.querySelectorAll("[data-verdict]")[2].click());
  document.querySelectorAll("[data-verdict]")[0].click();
  found.sort = timed(() => document.querySelectorAll("#matrix thead button")[1].click());
  found.speedups = timed(() => document.getElementById("speedups").click());
  found.overflow = document.documentElement.scrollWidth - document.documentElement.clientWidth;
"""


def a_class(students: int, labs: int) -> ResultsDocument:
    """A class in which one of four submissions is not accepted."""
    reports = [
        _report(f"student-{student}", f"lab-{lab}", student * labs + lab)
        for lab in range(labs)
        for student in range(students)
        if (student + lab) % 13
    ]
    return ResultsDocument(
        grader_version="benchmark",
        created_at="2026-01-01T00:00:00+00:00",
        engine=EngineInfo(kind=EngineKind.EMULATOR, device="Tesla T4"),
        reports=tuple(reports),
    )


def _report(student: str, lab: str, number: int) -> Report:
    verdict = _BAD[number % len(_BAD)] if number % 4 == 0 else Verdict.ACCEPTED
    why = as_written("case ragged: 17 of 1,003 elements of out are wrong; out[986] is 0.5 and should be 1.25")
    score = 100.0 - 5 * (number % 7) if verdict is Verdict.ACCEPTED else 5.0 * (number % 9)
    speed = 1 + number % 50 / 10
    case = CaseReport(name="ragged", visibility=Visibility.PUBLIC, verdict=verdict, reason=why)
    return Report(
        student=student,
        lab=lab,
        file=f"{lab}/{student}.cu",
        language=Language.CUDA_C,
        verdict=verdict,
        reason=why,
        score=score,
        max_score=100.0,
        parts=tuple(
            Part(name=name, score=score * most / 100, max_score=most, reason=why)
            for name, most in (("correctness", 60.0), ("coalesced access", 20.0), ("speed", 20.0))
        ),
        kernels=(
            KernelReport(
                name="kernel",
                verdict=verdict,
                reason=why,
                cases=(case,) * 10,
                speedup=Speedup(
                    value=speed, low=speed, high=speed, kind=SpeedupKind.MODELLED, baseline="global"
                ),
                seconds=1e-4,
                resources=None,
                diagnostics=(),
            ),
        ),
    )


def measure(students: int, labs: int, rounds: int) -> dict[str, Any]:
    """The figures of one class: bytes, seconds to write, and medians of the times in the browser in seconds."""
    document = a_class(students, labs)
    source = SourceFile(name="kernel.cu", data=_SOURCE.read_bytes())
    sources = {(report.student, report.lab): (source,) for report in document.reports}
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        seconds = []
        for _ in range(2):
            start = time.monotonic()
            class_page.write(page, document, sources)
            seconds.append(round(time.monotonic() - start, 2))
        return {
            "students": students,
            "labs": labs,
            "submissions": len(document.reports),
            "bytes": page.stat().st_size,
            "written": seconds[0],
            "written_again": seconds[1],
            "browser": {name: _browser(page, window, rounds) for name, window in WINDOWS.items()},
        }


def _browser(page: Path, window: tuple[int, int], rounds: int) -> dict[str, float]:
    """Medians in seconds, and by how many pixels the page is wider than the window."""
    width, height = window
    text = page.read_text(encoding="utf-8")
    frame = Frame(page=text, script=_PROBE, width=width, height=height)
    found = [observe([frame]).found[0] for _ in range(rounds)]
    medians = {
        key: round(statistics.median(each[key] for each in found) / 1000, 3)
        for key in found[0]
        if key != "overflow"
    }
    return medians | {"overflow": max(each["overflow"] for each in found)}


def table(record: dict[str, Any]) -> str:
    """One row for each class and window, under a line of provenance."""
    source = record["provenance"]
    measured = (
        f"Measured on {source['measured_at'][:10]} at commit `{source['commit'][:7]}` on a machine with "
        f"{source['cores']} cores ({source['cpu']}, load {source['load']:.1f} before), {source['browser']}; "
        f"medians of {source['rounds']}."
    )
    rows = [
        (
            f"{each['students']:,} × {each['labs']}",
            f"{each['bytes'] / 1e6:.2f} MB",
            f"{each['written']:.1f} s",
            f"{each['written_again']:.1f} s",
            name,
            *(f"{figures[key]:.2f} s" for key in ("opened", "search", "filter", "sort", "speedups")),
        )
        for each in record["classes"]
        for name, figures in each["browser"].items()
    ]
    header = ("students × labs", "page", "written", "again", "window", "opened")
    return f"{measured}\n\n{pages.table((*header, 'search', 'filter', 'sort', 'speedups'), rows, 1)}"


def main() -> None:
    """Measure, and write the record and the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--rounds", type=int, default=ROUNDS)
    rounds = options.parse_args().rounds
    provenance = machine_provenance(rounds=rounds, browser=version())
    classes = [measure(students, labs, rounds) for students, labs in CLASSES]
    record = {"schema_version": 1, "provenance": provenance, "classes": classes}
    pages.keep(record, RESULTS)
    pages.write({SECTION: table(record)}, PAGE)


if __name__ == "__main__":
    main()
