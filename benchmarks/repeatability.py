"""The same submissions timed again and again on one device: whether points stay, and what a decision costs.

``python -m benchmarks.repeatability FOLDER`` times the sample class's accepted submissions of some labs and writes
``repeatability.json`` into ``FOLDER``, again after every round; then it prints the table. It needs a GPU. Options:
``--times N``, ``--labs LAB...``, ``--most N`` of each lab, ``--sandbox KIND``.
``python -m benchmarks.repeatability --page`` makes the table in the documentation from the recorded runs.
"""

import argparse
import secrets
import sys
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from statistics import median
from typing import Any

from grader.config.settings import LimitSettings, SandboxSettings
from grader.errors import InfrastructureError
from grader.grading.context import GradingContext
from grader.grading.environment import GradingEnvironment
from grader.grading.kernel_facts import after_build
from grader.grading.rungs import RungModules, build_request
from grader.grading.timing import time_kernels
from grader.intake.collect import collect
from grader.judge.speed import samples
from grader.labs.builtin import catalogue
from grader.labs.lab import Lab
from grader.labs.registry import discover
from grader.model.confidence import CHECKPOINTS, PRECISION, interval
from grader.model.facts import CaseOutcome
from grader.model.reason import as_written
from grader.model.report import Timing
from grader.model.run import EngineKind
from grader.model.submission import Submission
from grader.model.verdict import Verdict
from grader.sandbox.builtin import PROCESS
from grader.sandbox.choice import choose, offers_of, open_sandbox
from tools import pages
from tools.gpu_provenance import provenance
from tools.paths import CHECKOUT

RESULTS = pages.RESULTS / "repeatability.json"
PAGE = CHECKOUT / "benchmarks" / "tables" / "clock.md"
SECTION = "repeatability"

TIMES, LABS = 20, ("matmul", "transpose", "row-sum")

SHORT = 20e-6
"""Seconds below which a launch's own cost is a good part of a time."""

BRIEF = 1e-3
"""Decisions on kernels of up to so many seconds should take half a second at the median."""

HEADER = (
    "lab",
    "device",
    "commit",
    "rounds",
    "comparisons",
    "pairs",
    "half-width at 30",
    "half-width",
    "spread",
    "seconds each",
    "refused",
    "answers changed",
    "at most off",
)


def chosen_submissions(names: Iterable[str], most: int | None = None) -> Iterator[tuple[Lab, Submission]]:
    """The sample class's submissions that are accepted, so that they are timed; the first ``most`` of each lab."""
    table = tomllib.loads((CHECKOUT / "submissions" / "expected.toml").read_text("utf-8"))["expected"]
    accepted = {(row["lab"], row["student"]) for row in table if row["verdict"] == "accepted"}
    registry = discover([catalogue()])
    for name in names:
        found = collect(CHECKOUT / "submissions", labs=registry.labs, lab=name, limits=LimitSettings())
        timed = [each for each in found.submissions if (name, each.student) in accepted]
        for submission in timed[:most]:
            yield registry.get(name), submission


def row(lab: Lab, student: str, kernel: str, timing: Timing) -> dict[str, Any]:
    """What was measured in one comparison, and which thresholds it reaches."""
    found = interval(timing.pairs)
    targets = lab.manifest.rubric.targets(kernel, timing.rung)
    return {
        "lab": lab.name,
        "student": student,
        "kernel": kernel,
        "rung": timing.rung,
        "speedup": [found.low, found.value, found.high],
        "pairs": len(timing.pairs),
        "dropped": timing.dropped,
        "launches": timing.launches,
        "clock": timing.clock,
        "half_width_at_30": _early(timing),
        "seconds": median(pair.submission for pair in timing.pairs),
        "took": timing.took,
        "reached": {f"{target:g}": found.high >= target for target in targets},
    }


def _early(timing: Timing) -> float:
    """The interval's half-width after the first look, as a part of the speedup."""
    return interval(timing.pairs[: CHECKPOINTS[0]]).half_width


def refusal(lab: Lab, student: str, reason: str) -> dict[str, Any]:
    """Why a round gave no time."""
    return {"lab": lab.name, "student": student, "refused": reason}


def summary(rounds: Sequence[Sequence[dict[str, Any]]]) -> list[dict[str, Any]]:
    """By lab: how much the same comparison differs from round to round, at worst, and how many rounds gave none."""
    refused = Counter(row["lab"] for each in rounds for row in each if "refused" in row)
    by_lab: dict[str, list[list[dict[str, Any]]]] = defaultdict(list)
    for same in by_comparison(rounds):
        by_lab[same[0]["lab"]].append(same)
    return [{"lab": lab, **_of_lab(found), "refused": refused[lab]} for lab, found in by_lab.items()]


def narrowness(comparisons: Sequence[Sequence[dict[str, Any]]]) -> str:
    """For how many 30 pairs were enough in all rounds, of kernels that take long enough, as a clause."""
    long = [same for same in comparisons if median(row["seconds"] for row in same) >= SHORT]
    narrow = [same for same in long if all(row["half_width_at_30"] <= PRECISION for row in same)]
    return (
        f"after {CHECKPOINTS[0]} pairs the half-width was {PRECISION:.0%} at most in all rounds of "
        f"{len(narrow)} of {len(long)} comparisons"
    )


def coverage(comparisons: Sequence[Sequence[dict[str, Any]]]) -> str:
    """How often an interval did not hold the median of all rounds, and by how much at worst, as a clause."""
    missed = [
        max(row["speedup"][0] / truth - 1, 1 - row["speedup"][2] / truth)
        for same in comparisons
        for truth in [median(row["speedup"][1] for row in same)]
        for row in same
    ]
    by = [each for each in missed if each > 0]
    of = f"{len(by)} of {len(missed)} intervals do not hold the median of their comparison's rounds"
    return f"{of}, by at most {_percent(max(by))}" if by else of


def cost(comparisons: Sequence[Sequence[dict[str, Any]]]) -> str:
    """What a comparison of two kernels that take less than a millisecond costs on the judge's clock, as a clause."""
    took = [
        row["took"]
        for same in comparisons
        for row in same
        if row["took"] is not None and row["seconds"] * max(1, row["speedup"][1]) < BRIEF
    ]
    if not took:
        return "no two kernels took less than a millisecond"
    return (
        f"where both kernels took less than a millisecond, {median(took):.2f} s was the median of {len(took)}"
    )


def by_comparison(rounds: Iterable[Sequence[dict[str, Any]]]) -> list[list[dict[str, Any]]]:
    """The rows of each comparison that gave a time, one from each round."""
    again: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in (row for each in rounds for row in each if "refused" not in row):
        again[row["lab"], row["student"], row["kernel"], row["rung"]].append(row)
    return list(again.values())


def _of_lab(found: list[list[dict[str, Any]]]) -> dict[str, Any]:
    long = [row for same in found for row in same if row["seconds"] >= SHORT]
    took = [row["took"] for same in found for row in same if row["took"] is not None]
    values = [[row["speedup"][1] for row in same] for same in found]
    changed = [off for same in found for off in _changed(same)]
    return {
        "rounds": min(len(same) for same in found),
        "comparisons": len(found),
        "pairs": median(row["pairs"] for same in found for row in same),
        "half_width_at_30": max((row["half_width_at_30"] for row in long), default=None),
        "half_width": max((_half_width(row["speedup"]) for row in long), default=None),
        "spread": max(max(each) / min(each) - 1 for each in values),
        "seconds": median(took) if took else None,
        "changed": len(changed),
        "off": max(changed, default=None),
    }


def _half_width(speedup: Sequence[float]) -> float:
    """That of a speedup given as low, middle and high, as a part of the middle."""
    low, value, high = speedup
    return (high - low) / 2 / value


def _changed(same: Sequence[dict[str, Any]]) -> Iterator[float]:
    """For each threshold that is reached in some rounds only: how far the median speedup lies from it, as a part."""
    for target in same[0]["reached"]:
        if len({row["reached"][target] for row in same}) > 1:
            yield abs(median(row["speedup"][1] for row in same) / float(target) - 1)


def table(record: dict[str, Any]) -> str:
    """A row for each lab of each run, below what was measured where and what is to be said of all of a run."""
    caption = "\n".join(
        f"- {', '.join(each['lab'] for each in summary(run['rounds']))}\n"
        f"  {pages.measured_on(run['provenance'])}: {narrowness(same)};\n"
        f"  {coverage(same)}; {cost(same)}"
        for run in record["runs"]
        for same in [by_comparison(run["rounds"])]
    )
    lines = [
        (
            each["lab"],
            run["provenance"]["device"].removeprefix("NVIDIA ").partition(" ")[0],
            f"`{run['provenance']['commit'][:7]}`",
            str(each["rounds"]),
            str(each["comparisons"]),
            f"{each['pairs']:g}",
            _percent(each["half_width_at_30"]),
            _percent(each["half_width"]),
            _percent(each["spread"]),
            "–" if each["seconds"] is None else f"{each['seconds']:.2f}",
            str(each["refused"]),
            str(each["changed"]),
            _percent(each["off"]),
        )
        for run in record["runs"]
        for each in summary(run["rounds"])
    ]
    return f"{caption}\n\n{pages.table(HEADER, lines, 3)}"


def _percent(part: float | None) -> str:
    return "–" if part is None else f"{part:.2%}"


def regraded(
    environment: GradingEnvironment, lab: Lab, submission: Submission, times: int
) -> Iterator[list[dict[str, Any]]]:
    """All comparisons of an accepted submission, again and again; every output is checked."""
    environment = environment.within(lab.manifest.limits)
    outcome = environment.build(build_request(lab, submission, environment.device.arch))
    if outcome.module is None:
        sys.exit(f"{lab.name} {submission.student} does not build: {outcome.fault}")
    context = GradingContext(
        lab=lab,
        language=submission.language,
        module=outcome.module,
        cases=tuple(case for case in lab.manifest.cases if environment.engine in case.engines),
        observed=None,
        seed=secrets.randbits(64),
    )
    passed = CaseOutcome(
        name=context.cases[0].name, verdict=Verdict.ACCEPTED, reason=as_written("known from the table")
    )
    names = [request.spec.name for request in lab.manifest.kernels]
    kernels = [replace(after_build(outcome, name, (name,)), cases=(passed,)) for name in names]
    rungs = RungModules(environment)
    with environment.session() as session:
        for _ in range(times):
            try:
                timed = time_kernels(context, session, rungs, kernels)
            except InfrastructureError as error:
                yield [refusal(lab, submission.student, str(error))]
                continue
            yield [
                row(lab, submission.student, kernel.name, samples(comparison, rung))
                for kernel in timed
                for rung, comparison in kernel.comparisons.items()
            ]


def main() -> None:
    """Time, write and print the table, or make the page."""
    if sys.argv[1:] == ["--page"]:
        pages.show(RESULTS, SECTION, table, PAGE)
        return
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--times", type=int, default=TIMES)
    parser.add_argument("--labs", nargs="+", default=LABS)
    parser.add_argument("--most", type=int)
    parser.add_argument("--sandbox", default=PROCESS)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    rounds: list[list[dict[str, Any]]] = [[] for _ in range(asked.times)]
    settings = SandboxSettings()
    offer = choose(asked.sandbox, trusted=True, offers=offers_of(settings))
    with closing(open_sandbox(offer, settings, None)) as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.CUDA, "Tesla T4", LimitSettings(), modelled_counts=False
        )
        run = {"provenance": provenance(environment.device, CHECKOUT), "rounds": rounds}
        record = {"schema_version": 2, "runs": [run]}
        for lab, submission in chosen_submissions(asked.labs, asked.most):
            for number, found in enumerate(regraded(environment, lab, submission, asked.times)):
                rounds[number] += found
                pages.keep(record, asked.folder / RESULTS.name)
            sys.stdout.write(f"{lab.name} {submission.student}\n")
            sys.stdout.flush()
    sys.stdout.write(table(record) + "\n")


if __name__ == "__main__":
    main()
