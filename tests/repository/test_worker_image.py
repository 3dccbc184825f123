"""What can be known of the worker image without an engine to build it."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from grader.sandbox.docker.image import sources
from tools.paths import CHECKOUT


@pytest.fixture(scope="module")
def instructions() -> list[tuple[str, str]]:
    """The Dockerfile's instructions in order, continued lines joined."""
    text = (CHECKOUT / "Dockerfile").read_text(encoding="utf-8")
    text = re.sub(r"^#.*\n", "", text, flags=re.MULTILINE).replace("\\\n", " ")
    return [(word, rest.strip()) for word, rest in re.findall(r"^([A-Z]+)\s+(.*)$", text, re.MULTILINE)]


def test_the_base_is_given_by_argument(instructions: list[tuple[str, str]]) -> None:
    assert instructions[:2] == [("ARG", "BASE"), ("FROM", "${BASE}")]


def test_a_worker_runs_as_nobody_and_starts_by_itself(instructions: list[tuple[str, str]]) -> None:
    assert ("USER", "65534:65534") in instructions
    assert instructions[-1] == ("ENTRYPOINT", '["python3", "-I", "-m", "grader.worker"]')
    words = [word for word, _ in instructions]
    assert "RUN" not in words[words.index("USER") :]


def test_copied_paths_exist_and_are_not_ignored(
    instructions: list[tuple[str, str]],
) -> None:
    allowed = {
        line[1:]
        for line in (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").splitlines()
        if line.startswith("!")
    }
    for word, rest in instructions:
        if word == "COPY":
            *sources, _ = rest.split()
            assert {source.replace("[s]", "s") for source in sources} <= allowed
            assert all((CHECKOUT / source).exists() for source in sources if "[" not in source)


_IMPORTS = """
import sys
import grader.compile.assembly, grader.compile.cuda_c, grader.compile.numba_kernels, grader.engines.emulator.engine
import grader.worker.forkserver
from grader.languages.builtin import CUDA_C, NUMBA
from grader.references import resolve
resolve(CUDA_C.translator), resolve(NUMBA.translator)
print(*(module.__file__ for name, module in sys.modules.items() if name.partition(".")[0] == "grader"), sep="\\n")
"""


def test_the_image_has_every_module_that_a_worker_imports() -> None:
    imported = subprocess.check_output([sys.executable, "-c", _IMPORTS], text=True, cwd=CHECKOUT).splitlines()
    assert {Path(file) for file in imported} <= set(sources())


def test_what_is_copied_is_what_the_image_s_digest_covers(instructions: list[tuple[str, str]]) -> None:
    package = CHECKOUT / "grader"
    copied = {
        Path(source).relative_to("grader").as_posix()
        for word, rest in instructions
        if word == "COPY"
        for source in rest.split()[:-1]
        if source.startswith("grader/")
    }
    assert copied == {path.relative_to(package).parts[0] for path in sources()}
