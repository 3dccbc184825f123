"""Archives as systems write them, and what the reader makes of them. All persons are invented."""

import struct
import zipfile
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from grader.lms.archives.port import ReadContext
from grader.lms.archives.read_archive import read_archive
from grader.lms.archives.received import Received

BERLIN = ZoneInfo("Europe/Berlin")
KERNEL = "__global__ void row_sum(const float *x, float *y, int n) { y[0] = x[0]; }\n"
STAMP = (2026, 6, 10, 14, 14, 0)
AT_STAMP = datetime(2026, 6, 10, 14, 14, tzinfo=BERLIN)

Files = Mapping[str, str | bytes]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What was read: ``texts`` has the files of each submission, ``ignored`` the code for each path left aside."""

    system: str
    received: tuple[Received, ...]
    texts: tuple[dict[str, str], ...]
    ignored: dict[str, str]

    @property
    def ids(self) -> list[str]:
        """The surest id of each submission's first submitter."""
        return [each.submitters[0].ids[0].value for each in self.received]

    @property
    def names(self) -> list[str]:
        """The name of each submission's first submitter."""
        return [each.submitters[0].name for each in self.received]


def read(path: Path, *, system: str | None = None, labs: Collection[str] = ("row-sum",)) -> Reading:
    """Read the archive or folder at ``path`` in a course in Berlin."""
    context = ReadContext(zone=BERLIN, labs=labs)
    with read_archive(path, context, system) as archive:
        received = archive.contents.received
        return Reading(
            system=archive.format.key,
            received=received,
            texts=tuple(
                {file.path: file.read(1 << 20).decode("utf-8", "replace") for file in each.files}
                for each in received
            ),
            ignored={each.path: each.why.code for each in archive.contents.ignored},
        )


def zipped(path: Path, files: Files, stamp: tuple[int, int, int, int, int, int] = STAMP) -> Path:
    """A zip at ``path`` with these files."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name, stamp), content, zipfile.ZIP_DEFLATED)
    return path


def unpacked(path: Path, files: Files) -> Path:
    """A folder at ``path`` with these files."""
    for name, content in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def zip_bytes(tmp_path: Path, files: Files) -> bytes:
    """A zip as the content of another."""
    return zipped(tmp_path / "inner.zip", files).read_bytes()


def with_raw_names(path: Path, names: Mapping[str, bytes]) -> Path:
    """The zip at ``path`` with other bytes for names of the same length, and no flag of UTF-8."""
    data = path.read_bytes()
    for placeholder, raw in names.items():
        assert len(placeholder) == len(raw)
        data = data.replace(placeholder.encode(), raw)
    path.write_bytes(data)
    return path


def code_page_zip(path: Path, names: Mapping[bytes, str]) -> Path:
    """A zip with names in a code page, given as bytes."""
    placeholders = {f"{at:03}".ljust(len(raw), "x"): raw for at, raw in enumerate(names)}
    zipped(path, dict(zip(placeholders, names.values(), strict=True)))
    return with_raw_names(path, placeholders)


def flagged_zip(path: Path, files: Files, flag: int) -> Path:
    """A zip with ``flag`` set in every entry's headers."""
    data = bytearray(zipped(path, files).read_bytes())
    for signature, offset in ((b"PK\3\4", 6), (b"PK\1\2", 8)):
        at = data.find(signature)
        while at >= 0:
            (old,) = struct.unpack_from("<H", data, at + offset)
            struct.pack_into("<H", data, at + offset, old | flag)
            at = data.find(signature, at + 4)
    path.write_bytes(data)
    return path


def utc(text: str) -> datetime:
    """An instant in UTC."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC)
