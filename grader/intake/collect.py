"""Finding every hand-in below a path."""

import os
import stat
from collections import defaultdict
from collections.abc import Collection, Mapping
from pathlib import Path

from grader.config.settings import LimitSettings
from grader.errors import UserError
from grader.intake.layout import Shape, file_lab, folder_layout
from grader.intake.names import lab_hint, listed, name_before_copy, name_key, student_name
from grader.intake.read_submission import ARCHIVES, IS_ARCHIVE, Candidate, read_submission, why_ignored
from grader.intake.result import Intake, Rejected
from grader.intake.tree import Entry, Folder, Kind
from grader.model.submission import LANGUAGE_OF_SUFFIX, Submission
from grader.model.text import natural_key, printable
from grader.model.verdict import Verdict

_MAX_WARNINGS = 10
"""Stray files named one by one, per folder; beyond that they are counted."""


def collect(path: Path, *, labs: Collection[str], lab: str | None = None, limits: LimitSettings) -> Intake:
    """Everything handed in at ``path``: a folder of lab folders, of one lab, or one student's file or folder.

    ``labs`` are the known labs; ``lab`` narrows a class to one of them, or says what a path is for whose name
    does not (see ``folder_layout``). Only regular files are opened, and no link below ``path`` is followed.

    Raises: ``UserError`` where ``lab`` is unknown, ``path`` cannot be read or nothing was handed in there.
    """
    if lab is not None and lab not in labs:
        msg = f"There is no lab called {printable(lab)}."
        raise UserError(msg, hint=lab_hint(lab, labs))
    collector = _Collector(labs, limits)
    try:
        if stat.S_ISREG(path.stat().st_mode):
            collector.single_file(path, lab)
        else:
            collector.folder(path, lab)
    except (OSError, RuntimeError) as error:
        why = error.strerror if isinstance(error, OSError) else "its links lead in a circle"
        msg = f"{printable(str(path))} cannot be read: {why}."
        raise UserError(msg) from error
    return collector.intake(path)


class _Collector:
    def __init__(self, labs: Collection[str], limits: LimitSettings) -> None:
        self._labs = labs
        self._limits = limits
        self._submissions: list[Submission] = []
        self._rejected: list[Rejected] = []
        self._warnings: list[str] = []

    def intake(self, path: Path) -> Intake:
        """What was found, in order. Raises: ``UserError`` for nothing at all."""
        if not self._submissions and not self._rejected:
            msg = f"Nothing was handed in at {printable(str(path))}."
            example = min(self._labs) if self._labs else "LAB"
            hint = f"Expected files such as {example}/STUDENT.cu or {example}/STUDENT.py there."
            raise UserError(msg, hint=" ".join([hint, *self._warnings[:1]]))
        refusals = [f"{rejected.path}: {rejected.reason}." for rejected in self._rejected]
        return Intake(
            submissions=tuple(sorted(self._submissions, key=_order)),
            rejected=tuple(sorted(self._rejected, key=_order)),
            warnings=(*refusals, *self._warnings),
        )

    def single_file(self, path: Path, lab: str | None) -> None:
        """Take the one file at ``path``; who names a link means the file behind it."""
        real = path.resolve(strict=True)
        entry = Entry(real.name, Kind.FILE)
        if entry.suffix not in LANGUAGE_OF_SUFFIX:
            msg = f"{printable(str(path))} is neither CUDA C (.cu) nor Numba (.py)."
            raise UserError(msg)
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
        with Folder.at(real.parent) as folder:
            self._read(candidate, folder)

    def _class(self, path: Path, folder: Folder, entries: list[Entry], lab: str | None) -> None:
        strays = []
        for entry in entries:
            if entry.kind is Kind.FOLDER and entry.name in self._labs:
                if lab in {None, entry.name}:
                    self._lab(path / entry.name, folder, entry.name)
            elif entry.kind is Kind.FOLDER:
                strays.append(
                    f"{_shown(path, entry)}: there is no lab of this name. {lab_hint(entry.name, self._labs)}"
                )
            elif not _is_class_file(entry):
                strays.append(f"{_shown(path, entry)} {why_ignored(entry, 'belongs to no lab')}.")
        if lab is None:
            self._warn(printable(str(path)), strays)

    def _lab(self, path: Path, parent: Folder, lab: str) -> None:
        try:
            with parent.folder(lab) as folder:
                self._students(path, folder, folder.entries(), lab)
        except OSError as error:
            self._warn(printable(str(path)), [f"{printable(str(path))} cannot be read: {error.strerror}."])

    def _students(self, path: Path, folder: Folder, entries: list[Entry], lab: str) -> None:
        candidates: dict[str, list[Candidate]] = defaultdict(list)
        strays = []
        archives = []
        for entry in entries:
            if entry.kind is Kind.FOLDER or entry.suffix in LANGUAGE_OF_SUFFIX:
                student = student_name(entry.name if entry.kind is Kind.FOLDER else entry.stem)
                candidate = Candidate(student=student, lab=lab, entry=entry, path=_shown(path, entry))
                candidates[name_key(student)].append(candidate)
            elif entry.kind is Kind.FILE and entry.suffix in ARCHIVES:
                archives.append(entry)
            else:
                strays.append(f"{_shown(path, entry)} {why_ignored(entry, 'belongs to no student')}.")
        strays += self._reject_archives(path, lab, archives, candidates)
        self._warn(printable(str(path)), strays)
        self._warn(printable(str(path)), _second_submissions(path, candidates))
        for same in candidates.values():
            if len(same) == 1:
                self._read(same[0], folder)
            else:
                self._reject_all(same)

    def _reject_archives(
        self, path: Path, lab: str, archives: list[Entry], students: Collection[str]
    ) -> list[str]:
        """Turn down every archive but those that lie beside what came out of them: they are strays."""
        strays = []
        for entry in archives:
            student = student_name(entry.stem.removesuffix(".tar"))
            if name_key(student) in students:
                strays.append(f"{_shown(path, entry)} {IS_ARCHIVE}.")
            else:
                candidate = Candidate(student=student, lab=lab, entry=entry, path=_shown(path, entry))
                reason = f"it {IS_ARCHIVE}; unpack it into a folder of this name"
                self._rejected.append(candidate.rejected(Verdict.NOT_GRADABLE, reason))
        return strays

    def _read(self, candidate: Candidate, folder: Folder) -> None:
        taken = read_submission(candidate, folder, self._limits)
        self._warn(candidate.path, [f"{stray}." for stray in taken.left])
        if isinstance(taken.result, Submission):
            self._submissions.append(taken.result)
        else:
            self._rejected.append(taken.result)

    def _reject_all(self, candidates: list[Candidate]) -> None:
        names = listed(candidate.entry.name for candidate in candidates)
        reason = f"several hand-ins are under one student's name: {names}; keep one"
        for candidate in {candidate.student: candidate for candidate in reversed(candidates)}.values():
            self._rejected.append(candidate.rejected(Verdict.NOT_GRADABLE, reason))

    def _warn(self, place: str, warnings: list[str]) -> None:
        more = len(warnings) - _MAX_WARNINGS
        self._warnings += warnings[:_MAX_WARNINGS]
        if more > 0:
            self._warnings.append(f"{place}: {more} more like these were skipped.")


def _second_submissions(path: Path, candidates: Mapping[str, list[Candidate]]) -> list[str]:
    """One line about names that look like another's downloaded again; they may be other students all the same."""
    again = []
    for candidate in (candidate for same in candidates.values() for candidate in same):
        name = name_before_copy(candidate.student)
        first = candidates.get(name_key(name)) if name else None
        if first:
            again.append(f"{candidate.entry.name} beside {first[0].entry.name}")
    if not again:
        return []
    place = printable(str(path))
    return [f"{place}: perhaps one student's second hand-in, graded like any other: {listed(again)}."]


def _order(found: Submission | Rejected) -> tuple[object, ...]:
    return found.lab, natural_key(found.student), found.path


def _absolute(path: Path) -> Path:
    return Path(os.path.abspath(path))  # noqa: PTH100 - a link's own name is what the person called it


def _shown(path: Path, entry: Entry) -> str:
    return printable(str(path / entry.name))


def _is_class_file(entry: Entry) -> bool:
    return entry.kind is Kind.FILE and (entry.stem.upper() == "README" or entry.suffix == ".toml")
