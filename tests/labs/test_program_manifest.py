"""The manifest of a program lab, and what is wrong in one, at its line."""

from pathlib import Path

import pytest

from grader.labs.convert import ManifestError
from grader.labs.loader import load_manifest
from grader.labs.program import StructureCheck
from tests.labs.example_lab import GOOD
from tests.labs.program_lab import FUNCTION, HEAD, MAIN, REST, manifest


def loaded(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "lab.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_function_and_its_signature(tmp_path: Path) -> None:
    found = load_manifest(loaded(tmp_path, manifest(FUNCTION)))
    assert found.program is not None
    assert found.program.signature == "int doubled(const float *x, float *y, int n)"
    assert found.graded == ("doubled",)
    assert found.kernels == ()
    assert found.rung("plain").kernels == ("doubled",)
    assert found.rubric.max_score == 100
    assert [rule.kernel for rule in found.rubric.speed] == ["doubled"]


def test_a_program_with_a_main_of_its_own(tmp_path: Path) -> None:
    found = load_manifest(loaded(tmp_path, manifest(MAIN)))
    assert found.program is not None
    assert found.program.name == "main"
    assert found.program.printed == ("sum",)


def test_the_bounds_of_structure_rules_have_defaults(tmp_path: Path) -> None:
    found = load_manifest(loaded(tmp_path, manifest(FUNCTION)))
    bounds = {rule.check: rule.bound for rule in found.rubric.structure}
    assert bounds[StructureCheck.ERRORS_CHECKED] == 1.0
    assert bounds[StructureCheck.COPIED_ONCE] > 1.0


WRONG = {
    "no such device": ('device = "Tesla T4"', 'device = "Tesla T5"', "Tesla T5"),
    "not a parameter": ('"int32 n"]', '"int n"]', "int32"),
    "a float as a size": ('"int32 n"]', '"float32 n"]', "integers"),
    "two forms": ('function = "doubled"', 'function = "doubled"\narguments = ["{n}"]', "remove function"),
    "no form": ('function = "doubled"\n', "", "function"),
    "no output": ('"float32 y[n]"', '"const float32 y[n]"', "without const"),
    "a texture": ('"const float32 x[n]"', '"texture float32 x[n]"', "const float32 x[n]"),
    "a rung's kernels": (
        'summary = "the only one"',
        'summary = ""\nkernels = ["doubled"]',
        "remove its kernels",
    ),
    "a rule about kernels": (
        "[[rubric.speed]]",
        '[[rubric.technique]]\nkernel = "doubled"\ncheck = "coalesced"\npoints = 1\n[[rubric.speed]]',
        "structure",
    ),
    "no such check": ('check = "no-leak"', 'check = "no-leaks"', "no-leak"),
    "a bound that does not belong": ('check = "no-leak"', 'check = "no-leak"\nat_least = 1', "remove it"),
    "a share above one": (
        'check = "errors-checked"',
        'check = "errors-checked"\nat_least = 2',
        "from 0 to 1",
    ),
    "a bound that is missing": ('check = "no-leak"', 'check = "overlap"', "at_least"),
    "a size that is missing": ("sizes = { n = 100 }", "sizes = { m = 100 }", "small"),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_is_named_with_its_line(tmp_path: Path, mistake: str) -> None:
    before, after, word = WRONG[mistake]
    text = manifest(FUNCTION)
    assert before in text
    with pytest.raises(ManifestError) as error:
        load_manifest(loaded(tmp_path, text.replace(before, after)))
    assert word in str(error.value)
    assert "line " in str(error.value)


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ('"{n}", "{x}", "{y}"', '"{n}", "{x}", "{z}"', "{z}"),
        ('"{n}", "{x}", "{y}"', '"{n}", "{x}"', "{y}"),
        ("sum = {sum}", "sum = {x}", "{x}"),
    ],
)
def test_names_in_arguments_and_output_are_checked(
    tmp_path: Path, before: str, after: str, word: str
) -> None:
    with pytest.raises(ManifestError) as error:
        load_manifest(loaded(tmp_path, manifest(MAIN).replace(before, after)))
    assert word in str(error.value)
    assert "line " in str(error.value)


def test_a_kernel_lab_has_no_program(tmp_path: Path) -> None:
    with pytest.raises(ManifestError, match="kind"):
        load_manifest(loaded(tmp_path, GOOD + FUNCTION))
    with pytest.raises(ManifestError, match=r"\[program\]"):
        load_manifest(loaded(tmp_path, HEAD + REST))


def test_a_program_lab_has_no_kernels(tmp_path: Path) -> None:
    kernels = '[[kernels]]\nname = "k"\nparams = ["float32 y[n]"]\nblock = ["1"]\ngrid = ["1"]\n'
    with pytest.raises(ManifestError, match="remove it"):
        load_manifest(loaded(tmp_path, HEAD + FUNCTION + kernels + REST))
