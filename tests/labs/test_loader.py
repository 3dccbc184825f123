"""What is wrong in a ``lab.toml`` is said in one line."""

from pathlib import Path

import pytest

from grader.labs.loader import ManifestError, load_manifest
from grader.model.report import Visibility
from grader.model.run import EngineKind

GOOD = """
schema_version = 1
name = "scale"
version = "1.0"
title = "Scale"
summary = "y = 2 x"
source = "a test"
baseline = "global"
[[kernels]]
name = "scale"
params = ["const float32 x[n]", "float32 y[n]", "int32 n"]
block = ["64"]
grid = ["ceil(n / block)"]
[[rungs]]
name = "global"
kernels = ["scale"]
summary = "the only one"
[[cases]]
name = "small"
visibility = "public"
use = ["check", "time"]
sizes = { n = 100 }
inputs = "normal"
[tolerance]
factor = 0.0
derivation = "a product by two is exact"
[rubric]
correctness = 80
[[rubric.speed]]
kernel = "scale"
at_least = 0.9
points = 20
"""


def manifest_of(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "lab.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_good_manifest_becomes_values_with_defaults(tmp_path: Path) -> None:
    manifest = load_manifest(manifest_of(tmp_path, GOOD))
    assert (
        manifest.kernel("scale").spec.c_signature == "__global__ void scale(const float *x, float *y, int n)"
    )
    assert manifest.cases[0].visibility is Visibility.PUBLIC
    assert manifest.cases[0].engines == frozenset(EngineKind)
    assert manifest.rubric.speed[0].over == "global"
    assert manifest.rubric.max_score == 100


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("factor = 0.0", "factor = 'none'", "Expected `float`"),
        ("[rubric]", "[rubric]\nbonus = 3", "unknown field `bonus`"),
        ('baseline = "global"', 'baseline = "naive"', "baseline names 'naive'"),
        ('"float32 y[n]"', '"float16 y[n]"', "unknown element type 'float16'"),
        ("sizes = { n = 100 }", "sizes = { m = 100 }", "case small: no size for n"),
        ('grid = ["ceil(n / block)"]', 'grid = ["n / 3"]', "not a whole number"),
        ('use = ["check", "time"]', 'use = ["check"]', "no case is used for timing"),
        ("schema_version = 1", "schema_version = 7", "schema_version is 7; this grader reads 1"),
        ("at_least = 0.9", "at_least = 0", "must be above 0"),
        ('kernels = ["scale"]', 'kernels = ["scales"]', "rung global names 'scales'"),
        ('name = "scale"', "name = ", "Invalid value"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in GOOD
    with pytest.raises(ManifestError) as caught:
        load_manifest(manifest_of(tmp_path, GOOD.replace(old, new, 1)))
    assert told in str(caught.value)
    assert "\n" not in str(caught.value)


def test_two_kernels_of_one_name_are_refused(tmp_path: Path) -> None:
    kernel = GOOD[GOOD.index("[[kernels]]") : GOOD.index("[[rungs]]")]
    with pytest.raises(ManifestError, match="two kernels of the same name"):
        load_manifest(manifest_of(tmp_path, GOOD.replace(kernel, kernel * 2)))
