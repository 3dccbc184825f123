"""Blackboard: "Assignment File Download", a zip without folders that may hold every attempt.

A file is ``ASSIGNMENT_USER_attempt_YYYY-MM-DD-hh-mm-ss_FILE``. Each attempt has a receipt, the same name without a file
and with ``.txt``, in the language of the person who downloads; so labels in it decide nothing, only its order does.
"""

import re
from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise

from grader.intake.tree import TooLargeError
from grader.lms.archives.html_text import language_of_text, text_of
from grader.lms.archives.nested import bytes_file
from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
from grader.lms.archives.prose_dates import zone_in
from grader.lms.archives.received import OWN, Contents, ExternalId, Received, Submitter, TimeSource
from grader.lms.archives.tree import ArchiveFile, Ignored, Tree
from grader.model.reason import reason

_KEY = "blackboard"
_NAME = re.compile(
    r"(?P<start>.+)_attempt_(?P<time>\d{4}-\d\d-\d\d-\d\d-\d\d-\d\d)(?:_(?P<file>.+)|(?P<receipt>\.txt))",
    re.DOTALL,
)
_PERSON = re.compile(r"[^:\uff1a]*[:\uff1a]\s*(?P<name>.*?)\s*\((?P<user>[^()]+)\)\s*")
_VALUE = re.compile(r"[^:\uff1a]*[:\uff1a]\s*(.*?)\s*")
_LABEL = re.compile(r"\s*[^\s:\uff1a][^:\uff1a]*[:\uff1a]\s*")
_MAX_RECEIPT = 1 << 20
_HEAD = 4
"""The lines of a receipt before its text: name, assignment, date, mark."""


@dataclass(slots=True)
class _Attempt:
    start: str
    time: str
    files: list[ArchiveFile]
    receipt: ArchiveFile | None = None


def recognise(tree: Tree) -> Recognition | None:
    """See ``ArchiveFormat.recognise``."""
    shown = next((file.path for file in tree.without_wrapper().files if _NAME.fullmatch(file.path)), None)
    if shown is None:
        return None
    return Recognition(certainty=Certainty.MARK, why=reason("archive-has-name", name=shown))


def read(tree: Tree, context: ReadContext) -> Contents:
    """See ``ArchiveFormat.read``."""
    attempts: dict[tuple[str, str], _Attempt] = {}
    ignored = list(tree.ignored)
    for file in tree.without_wrapper().files:
        match = _NAME.fullmatch(file.path)
        if match is None:
            ignored.append(Ignored(path=file.path, why=reason("entry-of-no-submission", system="Blackboard")))
            continue
        key = (match["start"], match["time"])
        attempt = attempts.setdefault(key, _Attempt(*key, files=[]))
        if match["receipt"]:
            attempt.receipt = file
        else:
            attempt.files.append(file)
    numbers: dict[str, int] = defaultdict(int)
    received = []
    for _, attempt in sorted(attempts.items()):
        numbers[attempt.start] += 1
        received.append(_received(attempt, numbers[attempt.start], context))
    return Contents(received=tuple(received), ignored=tuple(ignored))


def _received(attempt: _Attempt, number: int, context: ReadContext) -> Received:
    lines = _lines(attempt.receipt)
    person = _PERSON.fullmatch(lines[0]) if lines else None
    user, assignment = _user(attempt.start, person)
    local = _local_time(attempt.time)
    date = _value(lines[2]) if len(lines) > _HEAD else ""
    zone = None if local is None else zone_in(date, local, context.zone)
    originals = _originals(lines)
    files = tuple(
        file.at(originals.get(file.path, _NAME.sub(r"\g<file>", file.path))) for file in attempt.files
    )
    if len({file.path for file in files}) < len(files):
        files = tuple(attempt.files)
    texts = () if files or attempt.receipt is None else _typed(lines, attempt.receipt)
    return Received(
        path=f"{attempt.start}_attempt_{attempt.time}",
        submitters=(
            Submitter(
                ids=(ExternalId(system=_KEY, value=user), ExternalId(system=OWN, value=user)),
                name=person["name"] if person else user,
            ),
        ),
        files=files,
        texts=texts,
        key=attempt.time,
        number=number,
        assignment=assignment,
        submitted_at=None if local is None else local.replace(tzinfo=zone or context.zone),
        time_source=TimeSource.STATED if zone else TimeSource.LOCAL if local else TimeSource.UNKNOWN,
    )


def _user(start: str, person: re.Match[str] | None) -> tuple[str, str]:
    """The user and the assignment in ``ASSIGNMENT_USER``, both of which may hold ``_``: the receipt knows the user."""
    if person is not None and start.endswith(f"_{person['user']}"):
        return person["user"], start.removesuffix(f"_{person['user']}")
    assignment, _, user = start.rpartition("_")
    return user, assignment


def _local_time(stamp: str) -> datetime | None:
    try:
        return datetime.strptime(stamp, "%Y-%m-%d-%H-%M-%S")  # noqa: DTZ007 - the zone comes from the receipt
    except ValueError:
        return None


def _lines(receipt: ArchiveFile | None) -> list[str]:
    if receipt is None:
        return []
    try:
        return receipt.read(_MAX_RECEIPT).decode("utf-8-sig", "replace").splitlines()
    except (TooLargeError, OSError):
        return []


def _value(line: str) -> str:
    match = _VALUE.fullmatch(line)
    return match[1] if match else ""


def _originals(lines: list[str]) -> dict[str, str]:
    """The original name of each file that the receipt lists. The last pair counts: a comment comes before the list."""
    values = [value for line in lines if (value := _value(line))]
    pairs = pairwise(values)
    return {stored: original for original, stored in pairs if _NAME.fullmatch(stored) and "/" not in original}


def _typed(lines: list[str], receipt: ArchiveFile) -> tuple[ArchiveFile, ...]:
    """The text of the submission field, if it holds a kernel: the first section after the head, as a file."""
    labels = [
        at
        for at, line in enumerate(lines)
        if at >= _HEAD
        and not lines[at - 1].strip()
        and _LABEL.fullmatch(line)
        and not line.lstrip()[0].islower()
    ]
    if not labels:
        return ()
    end = labels[1] if len(labels) > 1 else len(lines)
    text = "\n".join(lines[labels[0] + 1 : end]).strip("\n") + "\n"
    if language_of_text(text_of(text)) is None:
        return ()
    return (bytes_file("submission.html", text.encode(), receipt),)


BLACKBOARD = ArchiveFormat(key=_KEY, label="Blackboard", recognise=recognise, read=read)
