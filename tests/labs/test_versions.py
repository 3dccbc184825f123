"""What decides facts changes ``code_version``; what turns facts into points changes ``rubric_digest`` alone."""

import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from grader.labs.folder import load_lab
from grader.labs.lab import Lab
from grader.labs.manifest import Manifest, Sweep, Tier, Tiers, Use
from grader.labs.pipeline import Pipeline
from grader.labs.program import ProgramRequest
from grader.labs.registry import discover
from grader.labs.versions import changed_parts, code_parts, code_version, rubric_digest, rubric_parts
from grader.model.element_types import struct_type
from grader.model.kernel import FunctionSpec, KernelSpec
from grader.model.needs import Needs
from grader.model.report import Visibility
from grader.model.submission import Language
from tests.labs.example_lab import folder_of_labs


@pytest.fixture
def lab(tmp_path: Path) -> Lab:
    folder_of_labs(tmp_path)
    return loaded(tmp_path)


def loaded(root: Path) -> Lab:
    return load_lab(root / "labs" / "scale", root / "reference" / "scale")


def with_manifest(lab: Lab, **changes: Any) -> Lab:
    return type(lab)(replace(lab.manifest, **changes), lab.folder, lab.reference)


def changes(before: Lab, after: Lab) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The parts of the code and of the rubric that differ; the digests must differ with them."""
    code = changed_parts(code_parts(before), code_parts(after))
    rubric = changed_parts(rubric_parts(before), rubric_parts(after))
    assert bool(code) == (code_version(before) != code_version(after))
    assert bool(rubric) == (rubric_digest(before) != rubric_digest(after))
    return code, rubric


def case(manifest: Manifest, **values: Any) -> dict[str, Any]:
    return {"cases": (replace(manifest.cases[0], **values),)}


FIELDS: dict[str, tuple[Callable[[Manifest], dict[str, Any]], tuple[str, ...], tuple[str, ...]]] = {
    "name": (lambda m: {"name": m.name}, (), ()),
    "version": (lambda _: {"version": "2"}, (), ("version",)),
    "title": (lambda _: {"title": "new"}, (), ("title",)),
    "summary": (lambda _: {"summary": "new"}, (), ("summary",)),
    "source": (lambda _: {"source": "new"}, (), ()),
    "kernels": (
        lambda m: {"kernels": (replace(m.kernels[0], launch=replace(m.kernels[0].launch, block=("32",))),)},
        ("kernels.scale",),
        (),
    ),
    "rungs": (lambda m: {"rungs": (replace(m.rungs[0], kernels=()),)}, ("rungs.global",), ()),
    "baseline": (lambda _: {"baseline": "other"}, ("baseline",), ()),
    "cases": (lambda m: case(m, sizes={"n": 101}), ("cases.small",), ()),
    "tolerance": (lambda m: {"tolerance": replace(m.tolerance, factor=1.0)}, ("tolerance",), ()),
    "rubric": (lambda m: {"rubric": replace(m.rubric, correctness=70.0)}, (), ("correctness",)),
    "forbid": (lambda _: {"forbid": ("atomics",)}, ("forbid",), ()),
    "macros": (lambda _: {"macros": {"TILE": 8}}, ("macros",), ()),
    "common": (lambda _: {"common": "../labs/scale"}, ("common",), ()),
    # What it leaves out is missing in the submission, which has a digest of its own.
    "files": (lambda _: {"files": ("src/*.cu",)}, (), ()),
    "handouts": (lambda _: {"handouts": ("ru",)}, (), ()),
    "languages": (lambda _: {"languages": (Language.NUMBA,)}, ("languages",), ()),
    "sweeps": (
        lambda _: {"sweeps": (Sweep(over="n", values=(1,), kernel="scale", rung="global"),)},
        (),
        (),
    ),
    "work": (lambda _: {"work": "n"}, ("work",), ()),
    "needs": (lambda _: {"needs": Needs(device="H100")}, (), ()),
    "nearby_sizes": (lambda _: {"nearby_sizes": False}, ("nearby_sizes",), ()),
    "reads_all_inputs": (lambda _: {"reads_all_inputs": True}, ("reads_all_inputs",), ()),
    "limits": (lambda _: {"limits": {"run_seconds": 1}}, ("limits",), ()),
    # A type counts where a kernel uses it.
    "structs": (lambda _: {"structs": (struct_type("Ray", ["float3 origin"]),)}, (), ()),
    "pipelines": (
        lambda _: {"pipelines": (Pipeline(spec=KernelSpec(name="twice", params=()), kernels=("scale",)),)},
        ("programs.twice",),
        (),
    ),
    "frame": (lambda _: {"frame": (FunctionSpec(name="f", params=()),)}, ("frame",), ()),
    "program": (lambda _: {"program": ProgramRequest(params=(), device="H200")}, ("program",), ()),
}
"""For each field of a manifest: a change of it, and the parts of the code and of the rubric that change with it."""


@pytest.mark.parametrize("field", [field.name for field in fields(Manifest)])
def test_each_field_of_a_manifest_changes_what_it_decides(lab: Lab, field: str) -> None:
    change, code, rubric = FIELDS[field]
    assert changes(lab, with_manifest(lab, **change(lab.manifest))) == (code, rubric)


@pytest.mark.parametrize(
    ("values", "code", "rubric"),
    [
        ({"inputs": "huge"}, ("cases.small",), ()),
        ({"values": {"alpha": 2.5}}, ("cases.small",), ()),
        ({"values": {"lens": {"gain": 0.5, "at": [1, 2]}}}, ("cases.small",), ()),
        ({"use": frozenset({Use.CHECK})}, ("cases.small",), ()),
        # The only case: the emulator then has none that it may show.
        ({"visibility": Visibility.HIDDEN}, ("observed",), ("visibility.small",)),
    ],
)
def test_visibility_alone_of_a_case_is_not_code(
    lab: Lab, values: dict[str, Any], code: tuple[str, ...], rubric: tuple[str, ...]
) -> None:
    assert changes(lab, with_manifest(lab, **case(lab.manifest, **values))) == (code, rubric)


def test_weights_are_no_code(lab: Lab) -> None:
    weighted = with_manifest(lab, rubric=replace(lab.manifest.rubric, weights={"scale": 2.0}))
    assert changes(lab, weighted) == ((), ("weights",))


def test_hiding_a_case_that_is_not_the_largest_is_no_code(lab: Lab) -> None:
    (small,) = lab.manifest.cases
    tiny = replace(small, name="tiny", sizes={"n": 1})
    both = with_manifest(lab, cases=(small, tiny))
    hidden = with_manifest(lab, cases=(small, replace(tiny, visibility=Visibility.HIDDEN)))
    assert changes(both, hidden) == ((), ("visibility.tiny",))


def test_an_added_and_a_removed_case_are_named(lab: Lab) -> None:
    more = with_manifest(lab, cases=(*lab.manifest.cases, replace(lab.manifest.cases[0], name="more")))
    assert changes(lab, more) == (("cases.more",), ("visibility.more",))
    assert changes(more, lab) == (("cases.more",), ("visibility.more",))


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("labs/scale/lab.py", ("code",)),
        ("labs/scale/table.bin", ("code",)),
        ("labs/scale/README.md", ()),
        ("labs/scale/README.ru.md", ()),
        ("labs/scale/starter/scale.cu", ()),
        ("labs/scale/mutants/bad.cu", ()),
        ("labs/scale/__pycache__/lab.pyc", ()),
        ("labs/scale/lab.toml", ()),
        ("reference/scale/global.cu", ("rungs.global",)),
        ("reference/scale/global.py", ("rungs.global",)),
        ("reference/scale/notes.txt", ()),
    ],
)
def test_files_of_a_lab_count_where_grading_reads_them(
    lab: Lab, tmp_path: Path, file: str, code: tuple[str, ...]
) -> None:
    before = code_parts(lab)
    path = tmp_path / file
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8") as opened:
        opened.write("\n# more\n")
    assert changed_parts(before, code_parts(loaded(tmp_path))) == code


def test_a_speed_rule_over_another_rung_is_code(lab: Lab) -> None:
    (rule,) = lab.manifest.rubric.speed
    over = replace(lab.manifest.rubric, speed=(replace(rule, over="other"),))
    assert changes(lab, with_manifest(lab, rubric=over)) == (("timed",), ("speed",))


@given(
    correctness=st.floats(0, 1000),
    points=st.floats(0.5, 1000),
    at_least=st.floats(0.1, 100),
)
def test_points_and_thresholds_never_change_the_code(
    correctness: float, points: float, at_least: float
) -> None:
    transpose = discover().get("transpose")
    rubric = transpose.manifest.rubric
    tiers = Tiers(steps=(Tier(at_least=at_least, points=points),))
    first, *others = rubric.speed
    changed = replace(rubric, correctness=correctness, speed=(replace(first, scorer=tiers), *others))
    after = with_manifest(transpose, rubric=changed)
    assert code_version(after) == code_version(transpose)
    assert (rubric_digest(after) == rubric_digest(transpose)) == (changed == rubric)


def test_the_digests_depend_on_no_path_and_no_hash_seed(lab: Lab, tmp_path: Path) -> None:
    digests = code_version(lab), rubric_digest(lab)
    (tmp_path / "labs").rename(tmp_path / "moved")
    script = f"""
from pathlib import Path
from grader.labs.folder import load_lab
from grader.labs.versions import code_version, rubric_digest
lab = load_lab(Path({str(tmp_path)!r}) / "moved" / "scale", Path({str(tmp_path)!r}) / "reference" / "scale")
print(code_version(lab), rubric_digest(lab))
"""
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        printed = subprocess.check_output([sys.executable, "-c", script], text=True, env=environment)
        assert tuple(printed.split()) == digests
