"""The boards of a lab as the class sees them: those who take part, under the names that they chose.

A board is live until staff freeze it; then it stays as it was, apart from names and from who takes part.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from grader.config.nicknames import ANONYMOUS, LONGEST, load_nicknames
from grader.course.boards import candidates, candidates_until
from grader.course.course_labs import require_lab
from grader.course.own_work import own_work
from grader.course.publish import EVERYBODY
from grader.course.records import Records
from grader.course.refused import RefusedError
from grader.course.rules import course_of
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.digests import value_digest
from grader.model.lookalikes import apart, face
from grader.model.reason import reason
from grader.report.leaderboard import Board, Candidate, ranked
from grader.report.public_leaderboard import with_public_names
from grader.store.rulings import BoardChoice, BoardFreeze

ALL_LABS = ""
"""The lab of a choice that holds for every board."""

_NOBODY = BoardChoice(nickname="", shown=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class LiveBoard:
    """The ``boards`` of a lab with the public ``names`` of those who take part, by student."""

    boards: tuple[Board, ...]
    frozen_at: datetime | None
    names: Mapping[str, str]

    @property
    def is_final(self) -> bool:
        """Whether the board is frozen."""
        return self.frozen_at is not None

    @property
    def version(self) -> str:
        """What differs where boards differ."""
        return value_digest((self.frozen_at, self.boards))


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassBoard:
    """The ``boards`` of a lab with the names of those who take part.

    ``is_open``: the reader may see results of the lab. ``own_name`` is the reader's name on them, if they take part.
    """

    lab: str
    title: str
    boards: tuple[Board, ...]
    frozen_at: datetime | None
    is_open: bool
    choice: BoardChoice
    own_name: str


def class_board(
    workspace: Workspace, lab: str, reader: str, now: datetime, *, is_staff: bool = False
) -> ClassBoard:
    """The boards of ``lab``; a student sees them when the course shows their own result. Raises: ``UnknownError``."""
    course = course_of(workspace)
    require_lab(workspace, course, lab)
    with Records(workspace) as records:
        is_open = is_staff or own_work(workspace, records, reader, now).grades[lab].visible
        choices = _choices(workspace, records)
        found = _live_board(records, lab, choices)
    return ClassBoard(
        lab=lab,
        title=workspace.registry.get(lab).manifest.title,
        boards=found.boards if is_open else (),
        frozen_at=found.frozen_at,
        is_open=is_open,
        choice=choices.get(reader, _NOBODY),
        own_name=found.names.get(reader, ""),
    )


def read_boards(workspace: Workspace, labs: Collection[str]) -> Mapping[str, LiveBoard]:
    """The boards of ``labs`` as everybody sees them who may."""
    with Records(workspace) as records:
        choices = _choices(workspace, records)
        return {lab: _live_board(records, lab, choices) for lab in labs}


def choose_name(workspace: Workspace, student: str, nickname: str, *, shown: bool) -> None:
    """Let ``student`` appear as ``nickname`` on every board, or on none. Raises: ``RefusedError`` for the name."""
    name = " ".join(nickname.split())
    with Records(workspace) as records:
        if shown:
            _require_usable(workspace, records, student, name)
        ruling = BoardChoice(nickname=name if shown else "", shown=shown)
        own = Staff(because=name or "-", by=student)
        store(records, own.decision(student, ALL_LABS, None, ruling), "board")


def freeze(workspace: Workspace, lab: str, staff: Staff, *, frozen: bool) -> None:
    """Stop the board of ``lab`` as it is now, or let it go on. Raises: ``UserError`` for an unknown lab."""
    workspace.registry.get(lab)
    with Records(workspace) as records:
        store(records, staff.decision(EVERYBODY, lab, None, BoardFreeze(frozen=frozen)), "board")


def _live_board(records: Records, lab: str, choices: Mapping[str, BoardChoice]) -> LiveBoard:
    frozen_at = _frozen_at(records, lab)
    shown = {student: each.nickname for student, each in choices.items() if each.shown}
    found = _candidates(records, lab, frozen_at, shown)
    names = apart(shown.values())
    public = {student: names[nickname] for student, nickname in shown.items()}
    return LiveBoard(
        boards=tuple(with_public_names(board, public.__getitem__) for board in ranked(found)),
        frozen_at=frozen_at,
        names=public,
    )


def _candidates(
    records: Records, lab: str, frozen_at: datetime | None, shown: Collection[str]
) -> tuple[Candidate, ...]:
    found = candidates(records, lab) if frozen_at is None else candidates_until(records, lab, frozen_at)
    return tuple(each for each in found if each.student in shown)


def _frozen_at(records: Records, lab: str) -> datetime | None:
    decided = records.store.decisions.list(lab, EVERYBODY)
    last = next((each for each in reversed(decided) if isinstance(each.ruling, BoardFreeze)), None)
    frozen = last is not None and isinstance(last.ruling, BoardFreeze) and last.ruling.frozen
    return last.decided_at if last is not None and frozen else None


def _choices(workspace: Workspace, records: Records) -> Mapping[str, BoardChoice]:
    """The choice of each student: the last one here, or that in the file with nicknames."""
    named = load_nicknames(workspace.config.names_file, by_name=False)
    found = {
        student: replace(_NOBODY, nickname=nickname, shown=nickname != ANONYMOUS)
        for student, nickname in named.chosen.items()
    }
    for decision in records.store.decisions.list(ALL_LABS):
        if isinstance(decision.ruling, BoardChoice):
            found[decision.student] = decision.ruling
    return found


def _require_usable(workspace: Workspace, records: Records, student: str, name: str) -> None:
    """Raises: ``RefusedError`` for a name that says nothing, or could be that of another person."""
    if not face(name) or not name.isprintable():
        raise RefusedError(reason("nickname-empty"))
    if len(name) > LONGEST:
        raise RefusedError(reason("nickname-long", limit=LONGEST))
    others = {each.nickname for who, each in _choices(workspace, records).items() if who != student}
    for person in records.store.people.list():
        if person.id != student:
            others |= {person.id, person.name}
    taken = frozenset().union(*map(_faces, {*others, ANONYMOUS} - {""}))
    if not taken.isdisjoint(_faces(name)):
        raise RefusedError(reason("nickname-taken"))


def _faces(name: str) -> frozenset[str]:
    """What ``name`` looks like as it is, and in small letters: a capital may look like another character."""
    return frozenset({face(name), face(name.casefold())})
