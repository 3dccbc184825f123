"""What is wrong in a ``lab.toml`` is said in one line."""

from pathlib import Path

import pytest

from grader.labs.convert import ManifestError
from grader.labs.lab import extent
from grader.labs.loader import load_manifest
from grader.labs.manifest import Linear, SpeedRule, Sweep, Tier, Tiers
from grader.model.report import Visibility
from grader.model.run import EngineKind
from grader.model.submission import Language
from grader.model.sweep import SweepFigure
from tests.labs.example_lab import GOOD

SWEEP = '[[sweeps]]\nover = "{over}"\nvalues = {values}\nkernel = "scale"\nrung = "global"\n[rubric]'


FALLING_RATIOS = "tiers = [{ at_least = 2, points = 4 }, { at_least = 1.5, points = 20 }]"
FALLING_POINTS = "tiers = [{ at_least = 1, points = 4 }, { at_least = 2, points = 4 }]"


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
    ("spelling", "scorer", "over"),
    [
        ("at_least = 0.9\npoints = 20", Tiers(steps=(Tier(at_least=0.9, points=20),)), "global"),
        (
            "tiers = [{ at_least = 1.1, points = 4 }, { at_least = 2, points = 20 }]",
            Tiers(steps=(Tier(at_least=1.1, points=4), Tier(at_least=2, points=20))),
            "global",
        ),
        (
            "linear = { from = 1.0, to = 4.0 }\npoints = 20",
            Linear(start=1, full=4, points=20),
            "global",
        ),
        ("roofline = 0.5\npoints = 20", Tiers(steps=(Tier(at_least=0.5, points=20),)), None),
    ],
)
def test_points_for_speed_have_four_spellings(
    tmp_path: Path, spelling: str, scorer: Tiers | Linear, over: str | None
) -> None:
    text = GOOD.replace("at_least = 0.9\npoints = 20", spelling)
    rubric = load_manifest(manifest_of(tmp_path, text)).rubric
    assert rubric.speed == (SpeedRule(kernel="scale", scorer=scorer, over=over),)
    assert rubric.max_score == 100
    assert rubric.targets("scale", "global") == (scorer.targets if over else ())


def test_points_for_the_roofline_need_public_timing_cases(tmp_path: Path) -> None:
    text = GOOD.replace("at_least = 0.9", "roofline = 0.5").replace('"public"', '"hidden"')
    with pytest.raises(ManifestError, match="reveals the size of the hidden case small"):
        load_manifest(manifest_of(tmp_path, text))


def test_what_a_lab_may_add_is_read(tmp_path: Path) -> None:
    more = GOOD.replace(
        'baseline = "global"',
        'baseline = "global"\ncommon = "shifts"\nhandouts = ["en", "ru"]\nmacros = { TILE = 16 }',
    )
    more = more.replace(
        'summary = "the only one"', 'summary = "the only one"\nno_gain = { numba = "one rung is no ladder" }'
    )
    more += (
        '[[sweeps]]\nover = "TILE"\nvalues = [1, 2]\nkernel = "scale"\nrung = "global"\nshows = "bandwidth"\n'
    )
    manifest = load_manifest(manifest_of(tmp_path, more))
    assert (manifest.common, manifest.handouts, manifest.macros) == ("shifts", ("en", "ru"), {"TILE": 16})
    assert manifest.rungs[0].no_gain == {Language.NUMBA: "one rung is no ladder"}
    assert manifest.sweeps == (
        Sweep(over="TILE", values=(1, 2), kernel="scale", rung="global", shows=SweepFigure.BANDWIDTH),
    )


def test_an_array_may_be_longer_than_a_size_by_an_expression(tmp_path: Path) -> None:
    longer = GOOD.replace("const float32 x[n]", "const float32 x[2 * n + 1]")
    (x, *_) = load_manifest(manifest_of(tmp_path, longer)).kernel("scale").spec.params
    assert x.dims == ("2 * n + 1",)
    assert extent(x.dims[0], {"n": 100}) == 201


def test_a_case_set_stands_before_the_cases_of_the_lab(tmp_path: Path) -> None:
    shared = GOOD.replace('baseline = "global"', 'baseline = "global"\ncase_set = "row-wise"')
    shared = shared.replace("sizes = { n = 100 }", "sizes = { n = 100, rows = 2, cols = 2 }")
    shared = shared.replace("const float32 x[n]", "const float32 x[rows]").replace("y[n]", "y[cols]")
    shared = shared.replace("int32 n", "int32 rows").replace("ceil(n / block)", "ceil(rows / block)")
    names = [case.name for case in load_manifest(manifest_of(tmp_path, shared)).cases]
    assert names[0] == "one-element"
    assert names[-1] == "small"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("factor = 0.0", "factor = 'none'", 'tolerance.factor must be a number, not "none"'),
        ("[rubric]", "[rubric]\nbonus = 3", "there is no key rubric.bonus; known here: correctness"),
        ('baseline = "global"', 'baseline = "naive"', "baseline names 'naive'"),
        ('"float32 y[n]"', '"float128 y[n]"', "unknown element type 'float128'"),
        ("sizes = { n = 100 }", "sizes = { m = 100 }", "case small: no size or value for n"),
        ('grid = ["ceil(n / block)"]', 'grid = ["n / 3"]', "not a whole number"),
        ('"const float32 x[n]"', '"const float32 x[n / 3]"', "not a whole number"),
        ('"const float32 x[n]"', '"const float32 x[n + m]"', "case small: no size or value for m"),
        ('use = ["check", "time"]', 'use = ["check"]', "no case is used for timing"),
        ("schema_version = 1", "schema_version = 7", "schema_version is 7; this grader reads 1"),
        ("at_least = 0.9", "at_least = 0", "rubric.speed 1 (scale): at_least must be above 0, is 0"),
        ("at_least = 0.9\n", "", "needs one of at_least, tiers, linear, roofline, has none"),
        ("at_least = 0.9", "at_least = 0.9\nroofline = 0.5", "has at_least and roofline"),
        ("at_least = 0.9\npoints = 20", "at_least = 0.9", "points are missing"),
        ("points = 20", "points = 0", "points must be above 0 for 0.9, are 0"),
        ("at_least = 0.9", "roofline = 1.5", "roofline is 1.5; it is a share"),
        ("at_least = 0.9", 'roofline = 0.5\nover = "global"', "remove one of them"),
        (
            "at_least = 0.9",
            "linear = { from = 4, to = 2 }",
            "linear must rise from above 0, goes from 4 to 2",
        ),
        ("at_least = 0.9", "linear = { from = 4 }", "rubric.speed[0].linear.to is missing"),
        ("at_least = 0.9", "tiers = [{ at_least = 1, points = 4 }]", "tiers have points of their own"),
        ("at_least = 0.9\npoints = 20", "tiers = []", "tiers are empty"),
        ("at_least = 0.9\npoints = 20", FALLING_RATIOS, "at_least must be above 2, is 1.5"),
        ("at_least = 0.9\npoints = 20", FALLING_POINTS, "points must be above 4 for 2, are 4"),
        ("at_least = 0.9", 'at_least = 0.9\nover = "tiled"', "rubric.speed names 'tiled'"),
        ('kernels = ["scale"]', 'kernels = ["scales"]', "rung global names 'scales'"),
        ('name = "scale"', "name = ", "Invalid value"),
        ('baseline = "global"', 'baseline = "global"\ncase_set = "columns"', "case_set names 'columns'"),
        ("[rubric]", SWEEP.format(over="TILE", values=[1]), "sweep over TILE names 'TILE'"),
        ("[rubric]", SWEEP.format(over="n", values=[]), "sweep over n: values must be"),
        ("[rubric]", SWEEP.format(over="n", values=[-1]), "sweep over n: values must be"),
        ("[rubric]", "[limits]\nrun_secs = 1\n[rubric]", "limits names 'run_secs', which is not one of"),
        ("[rubric]", "[limits]\nmax_files = 1\n[rubric]", "limits names 'max_files'"),
        ("[rubric]", "[limits]\nrun_seconds = 0\n[rubric]", "limits: run_seconds must be a number above 0"),
        ("[rubric]", "[limits]\nprocesses = 1.5\n[rubric]", "limits: processes must be a whole number"),
        ('use = ["check", "time"]', 'engines = ["cdua"]\nuse = ["check", "time"]', "case small names 'cdua'"),
        (
            'summary = "the only one"',
            'summary = ""\nno_gain = { numbra = "x" }',
            "rung global names 'numbra'",
        ),
        ('"int32 n"', '"inout int32 n"', "only an array can be written in place"),
    ],
)
def test_a_mistake_is_named(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in GOOD
    with pytest.raises(ManifestError) as caught:
        load_manifest(manifest_of(tmp_path, GOOD.replace(old, new, 1)))
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_lab_may_name_limits(tmp_path: Path) -> None:
    tight = GOOD.replace("[rubric]", "[limits]\nrun_seconds = 2\nsteps = 1000\n[rubric]", 1)
    assert load_manifest(manifest_of(tmp_path, tight)).limits == {"run_seconds": 2, "steps": 1000}
    assert load_manifest(manifest_of(tmp_path, GOOD)).limits == {}


def test_two_kernels_of_one_name_are_refused(tmp_path: Path) -> None:
    kernel = GOOD[GOOD.index("[[kernels]]") : GOOD.index("[[rungs]]")]
    with pytest.raises(ManifestError, match="two kernels have the same name"):
        load_manifest(manifest_of(tmp_path, GOOD.replace(kernel, kernel * 2)))


@pytest.mark.parametrize("pattern", ["", "/src/a.cu", "../a.cu", "src//a.cu", "src\\\\a.cu", "./a.cu"])
def test_a_pattern_outside_a_students_folder_is_named(tmp_path: Path, pattern: str) -> None:
    path = tmp_path / "lab.toml"
    path.write_text(f'files = ["{pattern}"]\n{GOOD}', encoding="utf-8")
    with pytest.raises(ManifestError, match="files: "):
        load_manifest(path)
