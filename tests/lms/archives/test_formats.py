"""Every built-in format passes the conformance suite."""

import pytest

from grader.lms.archives import builtin
from grader.lms.archives.port import ArchiveFormat
from tests.lms.archives.contract import ArchiveFormatContract

STAMP = "2026-06-10-06-34-13"
METADATA = (
    b"submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '01'\n  :created_at: 2026-06-10 01:02:03 Z\n"
)

EXAMPLES: dict[str, tuple[ArchiveFormat, dict[str, bytes]]] = {
    "moodle": (
        builtin.MOODLE,
        {
            "Ada Example_1_assignsubmission_file/src/a.cu": b"1",
            "Bo Example_2_assignsubmission_file_a.cu": b"2",
            "Cy Example_3_assignsubmission_onlinetext/onlinetext.html": b"3",
            "Cy Example_3_assignsubmission_comments/x.html": b"4",
            "Cy Example_3_assignsubmission_onlinetext/pasted.png": b"6",
            "stray.txt": b"5",
        },
    ),
    "canvas": (
        builtin.CANVAS,
        {
            "exampleada_LATE_77_101_a.cu": b"1",
            "exampleada_LATE_77_102_b.cuh": b"2",
            "bo_78_text.html": b"3",
            "cy_79_link.html": b"4",
            "anon_aB3_103_a-1.cu": b"5",
            "stray.txt": b"6",
        },
    ),
    "gradescope": (
        builtin.GRADESCOPE,
        {
            "submission_metadata.yml": METADATA,
            "submission_1/a.cu": b"1",
            "submission_2/a.cu": b"2",
            "x": b"3",
        },
    ),
    "blackboard": (
        builtin.BLACKBOARD,
        {
            f"Lab_1_s1_attempt_{STAMP}_a.cu": b"1",
            f"Lab_1_s1_attempt_{STAMP}.txt": b"Name: Ada (s1)\n",
            "stray.txt": b"2",
        },
    ),
    "brightspace": (
        builtin.BRIGHTSPACE,
        {
            "1-2 - Ada Example - Jun 10, 2026 2:14 PM/a.cu": b"1",
            "1-2 - Ada Example - Jun 11, 2026 2:14 PM/src/a.cu": b"2",
            "index.html": b"3",
        },
    ),
    "github": (
        builtin.GITHUB,
        {
            "row-sum-ada/.git/HEAD": b"",
            "row-sum-ada/a.cu": b"1",
            "row-sum-bo/.git/HEAD": b"",
            "row-sum-bo/b.cu": b"3",
            "stray.txt": b"2",
        },
    ),
    "plain": (builtin.PLAIN, {"ada.cu": b"1", "bo/a.cu": b"2", "list.txt": b"3"}),
}


@pytest.mark.parametrize("system", EXAMPLES)
class TestBuiltIn(ArchiveFormatContract):
    """The formats that Grader brings."""

    metadata = frozenset(
        {
            "submission_metadata.yml",
            f"Lab_1_s1_attempt_{STAMP}.txt",
            "row-sum-ada/.git/HEAD",
            "row-sum-bo/.git/HEAD",
        }
    )

    @pytest.fixture
    def archive_format(self, system: str) -> ArchiveFormat:
        return EXAMPLES[system][0]

    @pytest.fixture
    def example(self, system: str) -> dict[str, bytes]:
        return EXAMPLES[system][1]


def test_every_built_in_format_has_an_example() -> None:
    assert {getattr(builtin, name) for name in builtin.__all__} == {each for each, _ in EXAMPLES.values()}
