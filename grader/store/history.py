"""Select the stored records that may be compared with one another."""

from collections.abc import Iterable
from dataclasses import dataclass

from grader.store.keys import SubmissionKey
from grader.store.port import GradedRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparable:
    """Records of one version of each lab, and how many of older versions were ``left_out``."""

    records: tuple[GradedRecord, ...]
    left_out: int


def comparable(records: Iterable[GradedRecord]) -> Comparable:
    """Select the latest record of every submission to the current version of its lab, one per device.

    A lab's current version is that of its newest record: a changed case or rung changes the speedups of the same work.
    Of two gradings of one submission on one device the later counts, so that a submission which a newer grader rejects
    does not stay accepted.
    """
    newest_first = sorted(records, key=lambda record: record.created_at, reverse=True)
    current: dict[str, str] = {}
    for record in newest_first:
        current.setdefault(record.key.lab, record.key.lab_version)
    kept: dict[SubmissionKey, GradedRecord] = {}
    left_out = 0
    for record in newest_first:
        key = record.key
        if key.lab_version == current[key.lab]:
            kept.setdefault(key.submission_key, record)
        else:
            left_out += 1
    return Comparable(records=tuple(kept.values()), left_out=left_out)
