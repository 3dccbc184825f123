"""Languages are entry points; each has a suffix of its own, and a document may name one that is not installed."""

from pathlib import Path

import msgspec
import pytest

from grader.errors import UserError
from grader.languages import LanguageSupport, by_suffix, file_kinds, installed, languages_of, of_file, support
from grader.languages.builtin import CUDA_C, NUMBA
from grader.model.kernel import KernelSpec, Param
from grader.model.submission import Language
from tools.plugin_metadata import install


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_the_built_in_languages_are_found() -> None:
    assert installed() == {Language.CUDA_C: CUDA_C, Language.NUMBA: NUMBA}
    assert by_suffix() == {".cu": CUDA_C, ".py": NUMBA}
    assert support("numba") is NUMBA
    assert file_kinds() == "CUDA C (.cu) or Numba (.py)"


def test_a_missing_language_is_named_with_the_installed_ones() -> None:
    with pytest.raises(UserError, match=r"'triton'.*cuda-c, numba"):
        support("triton")


@pytest.mark.parametrize(
    ("name", "language"),
    [
        ("a.cu", CUDA_C),
        ("src/A.CUH", CUDA_C),
        ("x.h", CUDA_C),
        ("a.py", NUMBA),
        ("a.txt", None),
        ("cu", None),
    ],
)
def test_a_header_is_of_the_language_that_includes_it(name: str, language: LanguageSupport | None) -> None:
    assert of_file(name) is language


def test_textures_need_a_language_that_has_them() -> None:
    plain = KernelSpec(name="f", params=(Param.parse("float32 y[n]"),))
    textured = KernelSpec(name="f", params=(Param.parse("texture float32 x[n]"),))
    assert languages_of(plain) == {Language.CUDA_C, Language.NUMBA}
    assert languages_of(textured) == {Language.CUDA_C}


@pytest.mark.usefixtures("installed_plugin")
def test_one_of_another_package_is_found() -> None:
    upper = support("shouted-cuda")
    assert by_suffix()[".cushout"] is upper
    assert upper.key not in set(Language)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("json:dumps", "gives no language called 'other'"),
        ("grader.languages.builtin:NUMBA", "gives no language called 'other'"),
        ("nowhere_to_be_found:X", "fails to load"),
    ],
)
def test_what_is_no_language_is_one_line(site: Path, value: str, said: str) -> None:
    install(site, "other", f"[grader.languages]\nother = {value}\n")
    with pytest.raises(UserError, match=said):
        installed()


def test_two_languages_of_one_suffix_are_both_named(site: Path) -> None:
    (site / "twin.py").write_text(
        "from dataclasses import replace\n"
        "from grader.languages.builtin import NUMBA\n"
        "from grader.model.submission import Language\n"
        "TWIN = replace(NUMBA, key=Language('twin'))\n",
        encoding="utf-8",
    )
    install(site, "twins", "[grader.languages]\ntwin = twin:TWIN\n")
    with pytest.raises(UserError, match=r"suffix \.py: numba and twin"):
        installed()


def test_a_word_of_another_package_is_read_and_written() -> None:
    word = msgspec.json.decode(b'"triton"', type=Language)
    assert (word, word.value, word == Language("triton")) == ("triton", "triton", True)
    assert msgspec.json.encode(word) == b'"triton"'
    assert "triton" in {word: 1}
    assert msgspec.json.decode(b'"numba"', type=Language) is Language.NUMBA
    assert list(Language) == ["cuda-c", "numba"]


@pytest.mark.parametrize("text", ["", "Numba", "a b", "-x", "x" * 40, "a\n"])
def test_what_is_no_word_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a valid Language"):
        Language(text)
