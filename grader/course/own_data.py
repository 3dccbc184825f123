"""What a person takes away of their own data, and how they ask for its erasure.

It is what they may see: no hidden case, no result that the course does not show yet, no note for staff, and no secret.
``grader.course.person`` exports every row, for staff.
"""

from collections.abc import Collection, Mapping
from dataclasses import replace
from datetime import datetime

from grader.course.attempt_lines import attempts_of
from grader.course.own_work import own_work
from grader.course.person import content_of, zipped
from grader.course.records import Records
from grader.course.results import results_of
from grader.course.staff import Staff, store
from grader.course.workspace import Workspace
from grader.report import results_json
from grader.report.redact import Audience
from grader.store.rulings import ErasureRequest

_HIDDEN_COLUMNS: Mapping[str, Collection[str]] = {
    "people": (),
    "person_ids": (),
    "memberships": (),
    "accounts": ("password",),
    "identities": (),
    "sessions": ("digest",),
    "tokens": ("digest",),
    "attempts": ("note",),
    "submissions": (),
    "submission_files": (),
}
"""The tables that a person sees, without these columns. Results come as reports for students."""


def own_data(workspace: Workspace, person: str, now: datetime) -> bytes:
    """A zip file with what is stored about ``person`` and they may see."""
    with Records(workspace) as records:
        data = records.store.person_data(person)
        work = own_work(workspace, records, person, now, *_labs(records, person))
        results = [
            result
            for lab, grade in work.grades.items()
            for result in attempts_of(records, person, lab, grade, Audience.STUDENT).results.values()
        ]
    rows = {
        name: tuple(
            {key: value for key, value in row.items() if key not in hidden} for row in data.rows[name]
        )
        for name, hidden in _HIDDEN_COLUMNS.items()
        if name in data.rows
    }
    content = content_of(person, replace(data, rows=rows))
    if results:
        document = results_of(results[0].score.engine, results, lambda _: ()).document
        content["results.json"] = results_json.dump(document)
    return zipped(content)


def ask_for_erasure(workspace: Workspace, person: str) -> None:
    """Ask staff to erase everything about ``person``; the audit list shows it. Asking again changes nothing."""
    if asked_for_erasure(workspace, person):
        return
    with Records(workspace) as records:
        asking = Staff(because="-", by=person)
        store(records, asking.decision(person, "", None, ErasureRequest()), "erasure request")


def asked_for_erasure(workspace: Workspace, person: str) -> bool:
    """Whether ``person`` asked for it."""
    with Records(workspace) as records:
        decided = records.store.decisions.list("", person)
    return any(isinstance(each.ruling, ErasureRequest) for each in decided)


def _labs(records: Records, person: str) -> set[str]:
    return {each.attempt.lab for each in records.store.attempts.recorded(person)}
