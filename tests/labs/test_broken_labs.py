"""A fault of one lab is one line with file and line, and the other labs load."""

import os
import shutil
from pathlib import Path

import pytest

from grader.errors import UserError
from grader.labs.registry import BrokenLab, Catalogue, discover
from tests.labs.example_lab import GOOD, folder_of_labs

COMMON = GOOD.replace('baseline = "global"', 'baseline = "global"\ncommon = "shared-code"')


def broken(catalogue: Catalogue) -> BrokenLab:
    registry = discover([catalogue])
    assert "matmul" in registry.labs
    assert "scale" not in registry.labs
    (found,) = registry.broken
    assert found.name == "scale"
    assert "\n" not in found.reason
    assert registry.is_broken("scale")
    assert not registry.is_broken("matmul")
    assert not registry.is_broken("nothing")
    with pytest.raises(UserError, match="is broken"):
        registry.get("scale")
    return found


def line_of(manifest: str, text: str) -> str:
    return f"labs/scale/lab.toml line {manifest[: manifest.index(text)].count(chr(10)) + 1}: "


def test_a_missing_folder_of_shared_code_is_named(tmp_path: Path) -> None:
    reason = broken(folder_of_labs(tmp_path, manifest=COMMON)).reason
    assert line_of(COMMON, "common") in reason
    assert str(tmp_path / "reference" / "shared-code") in reason


def test_a_lab_with_its_shared_code_loads(tmp_path: Path) -> None:
    (tmp_path / "reference" / "shared-code").mkdir(parents=True)
    assert "scale" in discover([folder_of_labs(tmp_path, manifest=COMMON)]).labs


def test_a_missing_rung_is_named(tmp_path: Path) -> None:
    catalogue = folder_of_labs(tmp_path)
    (tmp_path / "reference" / "scale" / "global.cu").unlink()
    reason = broken(catalogue).reason
    assert line_of(GOOD, "[[rungs]]") in reason
    assert "rung global" in reason


def test_a_missing_folder_of_rungs_is_a_missing_rung(tmp_path: Path) -> None:
    catalogue = folder_of_labs(tmp_path)
    shutil.rmtree(tmp_path / "reference")
    assert "rung global" in broken(catalogue).reason


@pytest.mark.parametrize("name", ["reference/scale/global.cu", "reference/shared-code/a.cuh"])
def test_an_unreadable_source_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    catalogue = folder_of_labs(tmp_path, manifest=COMMON)
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    path.touch()
    (tmp_path / "reference" / "shared-code").mkdir(exist_ok=True)
    real = os.access
    monkeypatch.setattr(os, "access", lambda file, mode: file != path and real(file, mode))
    assert f"{path} cannot be read" in broken(catalogue).reason


def test_an_unreadable_manifest_is_named(tmp_path: Path) -> None:
    catalogue = folder_of_labs(tmp_path)
    (tmp_path / "labs" / "scale" / "lab.toml").unlink()
    (tmp_path / "labs" / "scale" / "lab.toml").mkdir()
    assert "lab.toml cannot be read" in broken(catalogue).reason


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("factor = 0.0", 'factor = "none"', 'factor = "none"'),
        ("[rubric]", "[rubric]\nbonus = 3", "bonus"),
        ('summary = "y = 2 x"\n', "", None),
        ('baseline = "global"', 'baseline = "naive"', "baseline"),
        ('"float32 y[n]"', '"float128 y[n]"', "params"),
        ("sizes = { n = 100 }", "sizes = { m = 100 }", "sizes"),
        ("at_least = 0.9", "at_least = 0", "[[rubric.speed]]"),
        ("at_least = 0.9", 'at_least = 0.9\nover = "tiled"', "over"),
        ('kernels = ["scale"]', 'kernels = ["scales"]', "kernels = "),
        ("correctness = 80", "correctness = -1", "correctness"),
        ("correctness = 80", "correctness = nan", "correctness"),
        ('visibility = "public"', 'visibility = "pubic"', "visibility"),
        ('inputs = "normal"', 'inputs = "normal"\nuse = ["chek"]', None),
        ("schema_version = 1", "schema_version = 7", "schema_version"),
        ('name = "scale"', 'name = "scales"', 'name = "scales"'),
    ],
)
def test_a_mistake_in_a_manifest_has_its_line(tmp_path: Path, old: str, new: str, place: str | None) -> None:
    manifest = GOOD.replace(old, new, 1)
    assert manifest != GOOD
    reason = broken(folder_of_labs(tmp_path, manifest=manifest)).reason
    assert ("lab.toml" if place is None else line_of(manifest, place)) in reason


def test_a_wrong_word_is_answered_with_the_allowed_ones(tmp_path: Path) -> None:
    manifest = GOOD.replace('"public"', '"pubic"')
    reason = broken(folder_of_labs(tmp_path, manifest=manifest)).reason
    assert 'cases[0].visibility must be one of "public", "hidden", not "pubic"' in reason


@pytest.mark.parametrize("text", ["name = ", "a = 1\na = 2", "\x00", "x = [" * 3000])
def test_what_is_not_toml_is_one_line(tmp_path: Path, text: str) -> None:
    assert "lab.toml is not TOML" in broken(folder_of_labs(tmp_path, manifest=text)).reason
