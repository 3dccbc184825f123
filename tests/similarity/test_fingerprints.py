"""The fingerprints of a submission, and why it may lack some."""

from dataclasses import replace

import pytest

from grader.cache import CacheFolder
from grader.course.workspace import open_workspace
from grader.grading.rung_cache import request_key
from grader.languages import support
from grader.languages.port import LanguageSupport
from grader.model.build import BuildRequest, Translation
from grader.model.module import PtxModule, PtxUnit
from grader.model.reason import as_written, reason
from grader.model.run import Fault
from grader.model.similarity import View
from grader.model.submission import Language, SourceFile, Submission
from grader.model.verdict import Verdict
from grader.similarity import compiled, fingerprints
from grader.similarity.compiled import Fingerprinter
from grader.similarity.fingerprints import of_sources, of_submission
from tests.similarity.sources import ORIGINAL

FILE = SourceFile(name="matmul.cu", data=ORIGINAL.encode())
SUBMISSION = Submission(student="s", lab="matmul", language=Language.CUDA_C, files=(FILE,), path="matmul.cu")


def test_what_does_not_compile_is_compared_by_its_source() -> None:
    why = as_written("expected a ';'")
    translation = Translation(fault=Fault(verdict=Verdict.FAILED_TO_BUILD, reason=why))
    found = of_submission(SUBMISSION, translation)
    assert found.views.keys() == {View.TOKENS}
    assert found.missing == {View.PTX: why, View.OPERATIONS: why}


def test_ptx_that_cannot_be_read_is_named() -> None:
    units = (PtxUnit(name="matmul.cu", ptx="{ { {"),)
    found = of_submission(
        SUBMISSION, Translation(module=PtxModule(units=units, kernels=(), user_files=("matmul.cu",)))
    )
    assert {each.code for each in found.missing.values()} == {"ptx-unread"}
    assert View.TOKENS in found.views


def test_a_language_without_a_grammar_is_compared_by_its_ptx(monkeypatch: pytest.MonkeyPatch) -> None:
    def without(key: str) -> LanguageSupport:
        return replace(support(key), grammar="")

    monkeypatch.setattr(fingerprints, "support", without)
    found = of_sources([FILE], Language.CUDA_C)
    assert not found.views
    assert found.missing[View.TOKENS] == reason("no-grammar", language="cuda-c")


class FakeEnvironment:
    """Compiles nothing, and counts how often it is asked."""

    def __init__(self, translation: Translation) -> None:
        self.asked = 0
        self._translation = translation

    def translate(self, _: BuildRequest) -> Translation:
        self.asked += 1
        return self._translation


@pytest.mark.parametrize(
    ("verdict", "asked"), [(Verdict.FAILED_TO_BUILD, 1), (Verdict.TIMED_OUT, 2)], ids=["error", "time-out"]
)
def test_a_content_is_compiled_once_unless_time_ran_out(
    verdict: Verdict, asked: int, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("GRADER_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
    fault = Fault(verdict=verdict, reason=as_written("why"))
    environment = FakeEnvironment(Translation(fault=fault))
    cache = CacheFolder("fingerprints")
    request = BuildRequest(language=Language.CUDA_C, files=(FILE,), kernels=())
    first, second = (
        compiled.compiled_once(
            cache, request_key(request), SUBMISSION, lambda: environment.translate(request)
        )
        for _ in range(2)
    )
    assert first == second
    assert environment.asked == asked


def test_nothing_is_compiled_without_an_environment() -> None:
    fingerprinter = Fingerprinter(None, CacheFolder("unused"))
    found = fingerprinter.of(open_workspace().registry.get("matmul"), SUBMISSION)
    assert found.missing.keys() == {View.PTX, View.OPERATIONS}
