"""What Grader answers to a folder of inputs: submissions and labs that people really wrote, or attacks.

``python -m benchmarks.case_answers FOLDER --json OUT`` grades every submission and validates every lab below FOLDER;
``--grader PROGRAM`` asks another release. ``--before A --after B`` puts two records into the table of the page.
Nothing of the folder is kept but paths and answers.

A folder with ``lab.toml`` is a lab, and its course is its grandparent. Any other ``.cu`` or ``.py`` file with a kernel
is a submission to the lab that its name or one of its kernels names, of the built-in labs and those of all courses.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tools import pages
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "benchmarks" / "tables" / "case-answers.md"
KINDS = CHECKOUT / "benchmarks" / "case_kinds.toml"

_SETTINGS = """
[engine]
kind = "emulator"
[sandbox]
kind = "bubblewrap"
[scoring]
modelled_speedups = true
"""
_SECONDS = 3600.0
_SHORT = 150
_KERNEL = re.compile(
    r"__global__\s+(?:\w+\s+|__\w+__\([^)]*\)\s*)*?void\s+(\w+)|@cuda\.jit[^\n]*\n(?:@[^\n]*\n)*def (\w+)"
)
_FOLDERS = re.compile(r"^grader: |(?<!\w)/(?:[\w.+-]+/)+")
"""What a message about a broken lab has before the name of its file."""

_CHECK = re.compile(r"  (ok|FAILS) +(\w[\w ]*?)(?: ([\w.-]+\.(?:cu|py)))?(?: \([\w-]+\))?  (.*)")


@dataclass(frozen=True, slots=True)
class Input:
    """A submission below the folder, and its lab."""

    path: Path
    lab: str


def labs_below(folder: Path) -> dict[str, Path]:
    """The folders of the labs below ``folder``, by name."""
    return {path.parent.name: path.parent for path in sorted(folder.rglob("lab.toml"))}


def submissions_below(folder: Path, kernels: dict[str, str]) -> Iterator[Input]:
    """The submissions below ``folder``; ``kernels`` has the lab of each kernel's name."""
    courses = [path.parents[1] for path in labs_below(folder).values()]
    for path in sorted([*folder.rglob("*.cu"), *folder.rglob("*.py")]):
        if not any(map(path.is_relative_to, courses)) and (lab := _lab_of(path, kernels)) is not None:
            yield Input(path, lab)


def kernels_of(labs: dict[str, Path]) -> dict[str, str]:
    """The lab of each kernel; of several labs with a kernel of one name, the last."""
    found: dict[str, str] = {}
    for lab, folder in labs.items():
        manifest = tomllib.loads((folder / "lab.toml").read_text(encoding="utf-8"))
        found |= {kernel["name"]: lab for kernel in manifest.get("kernels", ())}
    return found


def _lab_of(path: Path, kernels: dict[str, str]) -> str | None:
    text = path.read_text(encoding="utf-8", errors="replace")
    named = [first or second for first, second in _KERNEL.findall(text)]
    if not named and "__device__" not in text:
        return None
    by_file = [lab for lab in kernels.values() if path.stem.replace("_", "-").endswith(lab)]
    by_kernel = [kernels[name] for name in named if name in kernels]
    return next(iter([*by_file, *by_kernel]), "total" if "total" in kernels.values() else None)


def graded(grader: str, inputs: list[Input], course: Path) -> dict[Path, dict[str, Any]]:
    """The answer to each input: its verdict, points and reason. ``course`` has the settings."""
    top = course / "handed-in"
    students = {f"s{number:03}": each for number, each in enumerate(inputs)}
    for student, each in students.items():
        place = top / each.lab / student
        place.mkdir(parents=True)
        shutil.copy(each.path, place / each.path.name)
    _asked([grader, "grade", str(top), "--json", str(course / "out.json"), "--fresh"], course)
    document = json.loads((course / "out.json").read_text(encoding="utf-8"))
    answers = {}
    for report in document["reports"]:
        answers[students[report["student"]].path] = {
            "lab": report["lab"],
            "verdict": report["verdict"],
            "score": report["score"],
            "technique": _technique(report),
            "reason": report["reason"],
        }
    return answers


def _technique(report: dict[str, Any]) -> float:
    """Points for technique: those of parts that are not for correctness, agreement or speed."""
    others = re.compile(r"correct|agree|times as fast|roofline|fast as")
    return float(sum(part["score"] for part in report["parts"] if not others.search(part["name"])))


def validated(grader: str, lab: str, course: Path) -> dict[str, Any]:
    """What ``labs validate`` says of ``lab``: how many checks pass, those that fail, and why it cannot be loaded."""
    done = _asked([grader, "labs", "validate", lab], course)
    checks = [check for line in done.stdout.splitlines() if (check := _CHECK.fullmatch(line))]
    failed = [check for check in checks if check[1] == "FAILS"]
    return {
        "ok": len(checks) - len(failed),
        "fails": [f"{_checked(check)}: {check[4]}"[:_SHORT] for check in failed],
        "broken": "" if checks else done.stderr.strip().replace(f"{course}/", "")[:_SHORT],
    }


def _checked(check: re.Match[str]) -> str:
    return " ".join(part for part in (check[2], check[3]) if part)


def _asked(command: list[str], course: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=course, capture_output=True, text=True, timeout=_SECONDS, check=False)


def answers(grader: str, top: Path) -> dict[str, Any]:
    """The record: answers to all submissions and labs below ``top``, by their path in it."""
    own = labs_below(top)
    known = kernels_of(own) | kernels_of(labs_below(CHECKOUT / "assignments"))
    courses = sorted({str(path.parent) for path in own.values()})
    with tempfile.TemporaryDirectory() as name:
        course = Path(name)
        settings = f"[labs]\nfolders = {json.dumps(courses)}\n{_SETTINGS}"
        (course / "grader.toml").write_text(settings, encoding="utf-8")
        found = graded(grader, list(submissions_below(top, known)), course)
        labs = {
            folder.relative_to(top).as_posix(): validated(grader, lab, course) for lab, folder in own.items()
        }
    return {
        "submissions": {path.relative_to(top).as_posix(): answer for path, answer in sorted(found.items())},
        "labs": labs,
    }


def tables(before: dict[str, Any], after: dict[str, Any]) -> str:
    """The answers before and after, side by side."""
    kinds: dict[str, str] = tomllib.loads(KINDS.read_text(encoding="utf-8"))["kinds"]
    rows = [
        (path, kinds.get(path, ""), _answer(old), _answer(after["submissions"].get(path)))
        for path, old in before["submissions"].items()
    ]
    labs = [
        (path, _validity(old), _validity(after["labs"].get(path))) for path, old in before["labs"].items()
    ]
    header = ("input", "what it is", "before", "now")
    found = [pages.table(header, rows, len(header))]
    if after["labs"]:
        found.append(pages.table(("lab, with all its files", "before", "now"), labs, 3))
    return "\n\n".join(found)


def _answer(found: dict[str, Any] | None) -> str:
    if found is None:
        return "not graded"
    said = found["reason"].replace("|", "\\|")
    short = said if len(said) <= _SHORT else said[: _SHORT - 1] + "…"
    return f"{found['verdict']}, {found['score']:g} points ({found['technique']:g} for technique): {short}"


def _validity(found: dict[str, Any] | None) -> str:
    if found is None or found["broken"]:
        return "not loaded" if found is None else _FOLDERS.sub("", found["broken"]).replace("|", "\\|")
    fails = found["fails"]
    return f"{found['ok']} ok" + (f", {len(fails)} fail: {fails[0]}".replace("|", "\\|") if fails else "")


def main() -> None:
    """Make a record of a folder, or the page of two records."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, nargs="?", help="the folder of inputs")
    parser.add_argument(
        "--grader", default=str(Path(sys.executable).with_name("grader")), help="the program to ask"
    )
    parser.add_argument("--json", type=Path, help="where to write the record; standard output if not given")
    parser.add_argument("--before", type=Path, help="the record of an older release")
    parser.add_argument("--after", type=Path, help="the record of this one")
    given = parser.parse_args()
    if given.before and given.after:
        records = (json.loads(path.read_text(encoding="utf-8")) for path in (given.before, given.after))
        pages.write({"answers": tables(*records)}, PAGE)
    elif given.folder:
        text = json.dumps(answers(given.grader, given.folder.resolve()), indent=1)
        if given.json:
            given.json.write_text(text + "\n", encoding="utf-8")
        else:
            sys.stdout.write(text + "\n")
    else:
        parser.error("name a folder, or --before and --after")


if __name__ == "__main__":
    main()
