"""The folder beside a class page with one page for each submission.

``report.html`` has the folder ``report_files``. An index in it lists the pages that Grader wrote, each with a digest of
its content; Grader replaces and removes only these.
"""

import contextlib
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import msgspec

from grader.digests import grader_digest
from grader.model.report import Report
from grader.report.files import plain_name, write_atomically

_INDEX = "index.json"
_WRITERS = 8
_OURS = re.compile(r"[\w.~-]+\.html", re.ASCII)


@dataclass(frozen=True, slots=True)
class Detail:
    """A page to write: the digest of everything that it shows, and the function that renders it."""

    digest: str
    render: Callable[[], str]


def folder_of(page: Path) -> Path:
    """The folder for the details of the class page ``page``."""
    return page.with_name(f"{page.stem}_files")


def file_names(reports: Sequence[Report]) -> tuple[str, ...]:
    """A file name for each report: ``STUDENT--LAB.html``, unique in any case and safe on any file system."""
    seen: Counter[str] = Counter()
    names: list[str] = []
    for report in reports:
        name = f"{plain_name(report.student)}--{plain_name(report.lab)}"
        seen[name] += 1
        names.append(f"{name}.html" if seen[name] == 1 else f"{name}--{seen[name]}.html")
    return tuple(names)


def digest_of(*shown: object) -> str:
    """A digest of everything that a page shows, and of the Grader that renders it."""
    everything = (grader_digest(), *shown)
    try:
        encoded = msgspec.msgpack.encode(everything)
    except UnicodeEncodeError:  # bytes of a file name that are not UTF-8
        encoded = repr(everything).encode("utf-8", "backslashreplace")
    return hashlib.sha256(encoded).hexdigest()


def write_details(folder: Path, details: Mapping[str, Detail]) -> None:
    """Write each page that is new or has changed. Pages of earlier runs stay until ``remove_stale``.

    Raises: ``UserError`` where the folder cannot be written.
    """
    known = _index(folder)
    digests = {name: detail.digest for name, detail in details.items()}
    new = {name for name in digests if known.get(name) != digests[name] or not (folder / name).is_file()}
    # Listed before they are written, so that the next run knows the pages of a run that was killed.
    _write_index(folder, known | dict.fromkeys(new, ""))

    def write(name: str) -> None:
        write_atomically(folder / name, details[name].render().encode())

    with ThreadPoolExecutor(_WRITERS) as pool:  # most of the time is spent waiting for the disk
        list(pool.map(write, new))
    _write_index(folder, known | digests)


def remove_stale(folder: Path, keep: Mapping[str, Detail]) -> None:
    """Remove the pages of earlier runs that are not in ``keep``, and the folder if that empties it."""
    known = _index(folder)
    if not known:
        return
    for name in known.keys() - keep.keys():
        with contextlib.suppress(OSError):
            (folder / name).unlink(missing_ok=True)
    if keep:
        _write_index(folder, {name: detail.digest for name, detail in keep.items()})
        return
    with contextlib.suppress(OSError):
        (folder / _INDEX).unlink()
        folder.rmdir()


def _index(folder: Path) -> dict[str, str]:
    """The pages that Grader wrote into ``folder``; none if the index is missing or was damaged."""
    try:
        found = msgspec.json.decode((folder / _INDEX).read_bytes(), type=dict[str, str])
    except (OSError, msgspec.DecodeError):
        return {}
    return {name: digest for name, digest in found.items() if _OURS.fullmatch(name)}


def _write_index(folder: Path, digests: Mapping[str, str]) -> None:
    write_atomically(folder / _INDEX, msgspec.json.encode(dict(sorted(digests.items()))))
