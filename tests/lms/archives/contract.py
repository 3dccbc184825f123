"""The conformance suite of formats of archives.

A test class inherits from it and provides the fixtures ``archive_format`` and ``example``, the files of a small export.
"""

import contextlib
import random
from datetime import UTC, datetime

from grader.errors import UserError
from grader.lms.archives.nested import bytes_file
from grader.lms.archives.port import ArchiveFormat, ReadContext
from grader.lms.archives.tree import ArchiveFile, Tree, tree_of

CONTEXT = ReadContext(zone=UTC, labs=("row-sum",))
_LIKE = ArchiveFile(path="", size=0, modified=datetime(2026, 6, 10, tzinfo=UTC), read=lambda _: b"")


def tree(files: dict[str, bytes], name: str = "export") -> Tree:
    """What comes out of an archive with ``files``."""
    return tree_of(name, [bytes_file(path, data, _LIKE) for path, data in files.items()], [])


class ArchiveFormatContract:
    """What every ``ArchiveFormat`` does."""

    metadata: frozenset[str] = frozenset()
    """Files of the example that the format itself reads."""

    def test_its_own_export_is_recognised(
        self, archive_format: ArchiveFormat, example: dict[str, bytes]
    ) -> None:
        assert archive_format.recognise(tree(example)) is not None

    def test_an_empty_archive_is_not(self, archive_format: ArchiveFormat) -> None:
        assert archive_format.recognise(tree({})) is None

    def test_a_folder_around_the_export_changes_nothing(
        self, archive_format: ArchiveFormat, example: dict[str, bytes]
    ) -> None:
        wrapped = tree({f"export/{path}": data for path, data in example.items()})
        assert archive_format.recognise(wrapped) == archive_format.recognise(tree(example))
        found = archive_format.read(wrapped, CONTEXT)
        assert [each.submitters for each in found.received] == [
            each.submitters for each in archive_format.read(tree(example), CONTEXT).received
        ]

    def test_every_file_is_submitted_or_left_aside(
        self, archive_format: ArchiveFormat, example: dict[str, bytes]
    ) -> None:
        found = archive_format.read(tree(example), CONTEXT)
        contents = [file.read(1 << 20) for each in found.received for file in (*each.files, *each.texts)]
        aside = {each.path for each in found.ignored}
        assert sorted(contents) == sorted(
            data for path, data in example.items() if path not in self.metadata and path not in aside
        )
        assert found.received

    def test_times_have_a_zone(self, archive_format: ArchiveFormat, example: dict[str, bytes]) -> None:
        times = [each.submitted_at for each in archive_format.read(tree(example), CONTEXT).received]
        assert all(each is not None and each.tzinfo is not None for each in times)

    def test_any_names_are_one_line_or_a_reading(
        self, archive_format: ArchiveFormat, example: dict[str, bytes]
    ) -> None:
        noise = random.Random(3)
        letters = "".join(example) + "_-/ .é漢1A\n"
        for _ in range(200):
            names = {
                "".join(noise.choices(letters, k=noise.randint(1, 40))).strip("/") or "x" for _ in range(5)
            }
            strange = tree(dict.fromkeys(names, b"x") | dict(noise.sample(sorted(example.items()), 1)))
            if archive_format.recognise(strange) is None:
                continue
            with contextlib.suppress(UserError):
                found = archive_format.read(strange, CONTEXT)
                assert all(file.path for each in found.received for file in (*each.files, *each.texts))
