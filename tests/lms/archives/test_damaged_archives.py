"""Random damage to archives of every system: one line for the user, or a reading, and nothing else."""

import contextlib
import random
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.intake.tree import TooLargeError
from tests.lms.archives.builders import KERNEL, read, unpacked, zip_bytes, zipped

STAMP = "2026-06-10-06-34-13"


@pytest.fixture
def seeds(tmp_path: Path) -> dict[str, bytes]:
    inner = zip_bytes(tmp_path, {"p/a.cu": KERNEL, "p/b.txt": "x" * 500})
    metadata = (
        "submission_1:\n  :submitters:\n  - :name: Ada\n    :sid: '1'\n  :created_at: 2026-06-10 1:2:3 Z\n"
    )
    archives: dict[str, dict[str, str | bytes]] = {
        "moodle": {"Ada_1_assignsubmission_file/p.zip": inner, "Бо_2_assignsubmission_file/a.cu": KERNEL},
        "moodle-text": {"Ada_1_assignsubmission_onlinetext/onlinetext.html": "<p>__global__</p>"},
        "canvas": {"ada_77_101_a-1.cu": KERNEL, "bo_LATE_78_text.html": "<p>__global__</p>"},
        "gradescope": {"x/submission_metadata.yml": metadata, "x/submission_1/a.cu": KERNEL},
        "blackboard": {
            f"D_s1_attempt_{STAMP}_a.cu": KERNEL,
            f"D_s1_attempt_{STAMP}.txt": "Name: A (s1)\n\n\n\n\n",
        },
        "brightspace": {"1-2 - Ada - Jun 10, 2026 2:14 PM/a.cu": KERNEL},
    }
    return {name: zipped(tmp_path / "seed.zip", files).read_bytes() for name, files in archives.items()}


def damaged(data: bytes, noise: random.Random) -> bytes:
    result = bytearray(data)
    for _ in range(noise.randint(1, 12)):
        at = noise.randrange(len(result))
        match noise.randrange(4):
            case 0:
                result[at] = noise.randrange(256)
            case 1:
                result[at] ^= 1 << noise.randrange(8)
            case 2:
                del result[at : at + noise.randint(1, 40)]
            case _:
                result[at:at] = noise.randbytes(noise.randint(1, 8))
        if not result:
            break
    return bytes(result)


def test_random_damage_is_one_line_or_a_reading(seeds: dict[str, bytes], tmp_path: Path) -> None:
    noise = random.Random(28)
    outcomes = {"read": 0, "refused": 0}
    for _ in range(60):
        for data in seeds.values():
            file = tmp_path / "damaged.zip"
            file.write_bytes(damaged(data, noise))
            try:
                read(file)
            except UserError:
                outcomes["refused"] += 1
            except (OSError, TooLargeError):
                # The reader of these tests asks for each file's bytes; intake reports this for the one student.
                outcomes["read"] += 1
            else:
                outcomes["read"] += 1
    assert min(outcomes.values()) > 10


def test_random_text_in_place_of_metadata_is_one_line_or_a_reading(tmp_path: Path) -> None:
    noise = random.Random(29)
    pieces = [
        "submission_1:",
        "\n",
        "  :submitters:",
        "  - ",
        ":name: ",
        "'",
        "[",
        "{",
        "&a ",
        "*a",
        "!!x ",
        "\t",
        "é",
    ]
    for number in range(300):
        text = "".join(noise.choice(pieces) for _ in range(noise.randint(1, 30)))
        folder = unpacked(
            tmp_path / str(number), {"submission_metadata.yml": text, "submission_1/a.cu": KERNEL}
        )
        with contextlib.suppress(UserError):
            read(folder)
