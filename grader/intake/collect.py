"""Find every submission below a path."""

import os
import stat
from collections import defaultdict
from collections.abc import Collection, Sequence
from pathlib import Path

from grader.config.settings import LimitSettings
from grader.errors import UserError
from grader.intake.layout import Shape, file_lab, folder_layout
from grader.intake.name_warnings import nameless, one_face, renamed, second_submissions
from grader.intake.names import (
    lab_hint,
    name_key,
    shown,
    similar_lab,
    student_name,
)
from grader.intake.read_submission import ARCHIVES, Candidate, read_submission, why_ignored
from grader.intake.result import Intake, Rejected
from grader.intake.rule import LabRules
from grader.intake.several import choose
from grader.intake.tree import Entry, Folder, Kind
from grader.languages import by_suffix, file_kinds
from grader.messages import render
from grader.model.reason import Reason, reason
from grader.model.submission import Submission
from grader.model.text import natural_key, printable
from grader.model.verdict import Verdict

_NO_RULES = LabRules()

_MAX_WARNINGS = 10
"""The most stray files listed by name, per folder; further ones are counted."""


def collect(
    path: Path,
    *,
    labs: Collection[str],
    lab: str | None = None,
    limits: LimitSettings,
    rules: LabRules = _NO_RULES,
) -> Intake:
    """Collect the submissions at ``path``: a folder of lab folders, of one lab, or one student's file or folder.

    ``labs`` are the known labs. ``lab`` restricts a class to one of them, or gives the lab of a path if its name
    does not (see ``folder_layout``). ``rules`` are those of the labs. Only regular files are opened, and no link below
    ``path`` is followed.

    Raises: ``UserError`` if ``lab`` is unknown, ``path`` cannot be read or contains no submission.
    """
    if lab is not None and lab not in labs:
        msg = f"There is no lab called {printable(lab)}."
        raise UserError(msg, hint=lab_hint(lab, labs))
    collector = _Collector(labs, limits, rules)
    try:
        if stat.S_ISREG(path.stat().st_mode):
            collector.single_file(path, lab)
        else:
            collector.folder(path, lab)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else "its links form a cycle"
        msg = f"{printable(str(path))} cannot be read: {why}."
        raise UserError(msg, hint="Check the path and its permissions.") from error
    return collector.intake(path)


class _Collector:
    def __init__(self, labs: Collection[str], limits: LimitSettings, rules: LabRules) -> None:
        self._labs = labs
        self._limits = limits
        self._rules = rules
        self._submissions: list[Submission] = []
        self._rejected: list[Rejected] = []
        self._warnings: list[Reason] = []

    def intake(self, path: Path) -> Intake:
        """The submissions found, in order. Raises: ``UserError`` if there are none."""
        if not self._submissions and not self._rejected:
            msg = f"There is no submission at {printable(str(path))}."
            example = min(self._labs) if self._labs else "LAB"
            files = " or ".join(f"{example}/STUDENT{suffix}" for suffix in by_suffix())
            hint = f"Expected files such as {files} there."
            raise UserError(msg, hint=" ".join([hint, *(f"{render(said)}." for said in self._warnings[:1])]))
        refusals = [
            reason("submission-rejected", path=rejected.path, reason=rejected.reason)
            for rejected in self._rejected
        ]
        return Intake(
            submissions=tuple(sorted(self._submissions, key=_order)),
            rejected=tuple(sorted(self._rejected, key=_order)),
            warnings=(*refusals, *self._warnings),
        )

    def single_file(self, path: Path, lab: str | None) -> None:
        """Take the file at ``path``; a link stands for its target."""
        real = path.resolve(strict=True)
        entry = Entry(real.name, Kind.FILE)
        if entry.suffix in ARCHIVES:
            msg = f"{printable(str(path))} is an archive."
            raise UserError(msg, hint="Take it in with `grader import`, or unpack it and name the folder.")
        if entry.suffix not in by_suffix():
            msg = f"{printable(str(path))} is no source file: {file_kinds()}."
            raise UserError(msg, hint=f"Submit a file that ends in {' or '.join(by_suffix())}.")
        named = _absolute(path)
        self._single(path, named.stem, file_lab(named, self._labs, lab), entry, real)

    def folder(self, path: Path, lab: str | None) -> None:
        """Take everything below the folder at ``path``."""
        named = _absolute(path)
        with Folder.at(path) as folder:
            entries = folder.entries()
            layout = folder_layout(named, entries, self._labs, lab)
            if layout.shape is Shape.CLASS:
                self._class(path, folder, entries, lab)
            elif layout.shape is Shape.LAB:
                self._students(path, folder, entries, layout.lab)
        if layout.shape is Shape.STUDENT:
            real = path.resolve(strict=True)
            self._single(path, named.name, layout.lab, Entry(real.name, Kind.FOLDER), real)

    def _single(self, path: Path, student: str, lab: str, entry: Entry, real: Path) -> None:
        candidate = Candidate(student=student_name(student), lab=lab, entry=entry, path=printable(str(path)))
        if not candidate.student:
            self._rejected.append(nameless(candidate))
            return
        self._warn(candidate.path, renamed([(student, candidate)]))
        with Folder.at(real.parent) as folder:
            self._read(candidate, folder)

    def _class(self, path: Path, folder: Folder, entries: list[Entry], lab: str | None) -> None:
        strays = []
        for entry in entries:
            if entry.kind is Kind.FOLDER and entry.name in self._labs:
                if lab in {None, entry.name}:
                    self._lab(path / entry.name, folder, entry.name)
            elif entry.kind is Kind.FOLDER:
                strays.append(self._no_lab(_shown(path, entry), entry.name))
            elif not _is_class_file(entry):
                strays.append(why_ignored(entry, _shown(path, entry), "file-of-no-lab"))
        if lab is None:
            self._warn(printable(str(path)), strays)

    def _no_lab(self, path: str, name: str) -> Reason:
        """Why the folder ``name`` is not one of a lab."""
        if self._rules.is_broken(name):
            return reason("folder-of-broken-lab", path=path)
        if (similar := similar_lab(name, self._labs)) is not None:
            return reason("folder-of-no-lab-similar", path=path, similar=similar)
        return reason("folder-of-no-lab", path=path, labs=shown(sorted(self._labs)))

    def _lab(self, path: Path, parent: Folder, lab: str) -> None:
        try:
            with parent.folder(lab) as folder:
                self._students(path, folder, folder.entries(), lab)
        except OSError as error:
            where = printable(str(path))
            self._warn(where, [reason("folder-unreadable", path=where, error=error.strerror)])

    def _students(self, path: Path, folder: Folder, entries: list[Entry], lab: str) -> None:
        candidates: dict[str, list[Candidate]] = defaultdict(list)
        strays = []
        archives = []
        for entry in entries:
            if entry.kind is Kind.FOLDER or entry.suffix in by_suffix():
                student = student_name(entry.name if entry.kind is Kind.FOLDER else entry.stem)
                candidate = Candidate(student=student, lab=lab, entry=entry, path=_shown(path, entry))
                if student:
                    candidates[name_key(student)].append(candidate)
                else:
                    self._rejected.append(nameless(candidate))
            elif entry.kind is Kind.FILE and entry.suffix in ARCHIVES:
                archives.append(entry)
            else:
                strays.append(why_ignored(entry, _shown(path, entry), "file-of-no-student"))
        strays += self._reject_archives(path, lab, archives, candidates)
        self._warn(printable(str(path)), strays)
        every = [candidate for same in candidates.values() for candidate in same]
        self._warn(printable(str(path)), renamed([(each.named, each) for each in every]))
        self._warn(printable(str(path)), one_face(path, every))
        self._warn(printable(str(path)), second_submissions(path, candidates))
        for same in candidates.values():
            if len({candidate.spelled for candidate in same}) > 1:
                self._reject_all(same)
            elif len(same) == 1:
                self._read(same[0], folder)
            else:
                self._read_one_of(same, folder)

    def _reject_archives(
        self, path: Path, lab: str, archives: list[Entry], students: Collection[str]
    ) -> list[Reason]:
        """Reject every archive, but only warn about one with its unpacked folder beside it."""
        strays = []
        for entry in archives:
            student = student_name(entry.stem.removesuffix(".tar"))
            if name_key(student) in students:
                strays.append(reason("archive-ignored", path=_shown(path, entry)))
            else:
                candidate = Candidate(student=student, lab=lab, entry=entry, path=_shown(path, entry))
                why = reason("submission-is-archive")
                self._rejected.append(candidate.rejected(Verdict.NOT_GRADABLE, why))
        return strays

    def _read(self, candidate: Candidate, folder: Folder) -> None:
        outcome = read_submission(candidate, folder, self._limits, self._rules.files(candidate.lab))
        self._warn(candidate.path, outcome.ignored)
        if isinstance(outcome.result, Submission):
            self._submissions.append(outcome.result)
        else:
            self._rejected.append(outcome.result)

    def _read_one_of(self, candidates: list[Candidate], folder: Folder) -> None:
        choice = choose(folder, candidates, self._rules.files(candidates[0].lab))
        self._warnings.append(choice.warning)
        self._read(choice.candidate, folder)

    def _reject_all(self, candidates: list[Candidate]) -> None:
        """Reject names that differ and read alike: they may be two students, or one who claims another's name."""
        why = reason("student-names-alike", names=shown(candidate.entry.name for candidate in candidates))
        for candidate in {candidate.student: candidate for candidate in reversed(candidates)}.values():
            self._rejected.append(candidate.rejected(Verdict.NOT_GRADABLE, why))

    def _warn(self, path: str, warnings: Sequence[Reason]) -> None:
        more = len(warnings) - _MAX_WARNINGS
        self._warnings += warnings[:_MAX_WARNINGS]
        if more > 0:
            self._warnings.append(reason("more-files-skipped", path=path, count=more))


def _order(found: Submission | Rejected) -> tuple[object, ...]:
    return found.lab, natural_key(found.student), found.path


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - resolving a link would lose its name, which names the student or lab


def _shown(path: Path, entry: Entry) -> str:
    return printable(str(path / entry.name))


def _is_class_file(entry: Entry) -> bool:
    return entry.kind is Kind.FILE and (entry.stem.upper() == "README" or entry.suffix == ".toml")
