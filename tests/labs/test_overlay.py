"""``[labs.<name>]`` changes how a lab is scored and shown; each mistake is one line of ``grader.toml``."""

from pathlib import Path
from textwrap import dedent

import pytest

from grader.config import load
from grader.errors import UserError
from grader.labs.finding_rules import CostlyFinding, FindingRule
from grader.labs.lab import Lab
from grader.labs.manifest import Linear, TechniqueCheck, Tier, Tiers
from grader.labs.registry import Catalogue, Registry, discover
from grader.labs.versions import changed_parts, code_version, rubric_parts
from grader.model.report import Visibility
from tests.labs.example_lab import GOOD, folder_of_labs


def registry(root: Path, text: str, *extra: Catalogue) -> Registry:
    (root / "grader.toml").write_text(dedent(text), encoding="utf-8")
    return discover(extra, load(root).overlays)


def complaint(root: Path, text: str, *extra: Catalogue) -> str:
    with pytest.raises(UserError) as caught:
        registry(root, text, *extra)
    message = str(caught.value)
    assert "\n" not in message
    return message


def visibility(lab: Lab) -> dict[str, Visibility]:
    return {case.name: case.visibility for case in lab.manifest.cases}


def test_a_course_changes_points_thresholds_visibility_and_texts(tmp_path: Path) -> None:
    plain = discover().get("transpose")
    text = """
        [labs.transpose]
        title = "Week 3"
        summary = "own words"
        files = ["src/*.cu"]
        visibility = { wide = "hidden", tall = "public" }
        [labs.transpose.rubric]
        correctness = 40
        [[labs.transpose.rubric.technique]]
        kernel = "transpose"
        check = "coalesced"
        points = 10
        [[labs.transpose.rubric.speed]]
        kernel = "transpose"
        over = "global"
        tiers = [{ at_least = 1.1, points = 10 }, { at_least = 2, points = 30 }]
        [[labs.transpose.rubric.speed]]
        kernel = "transpose"
        over = "shared_padded"
        linear = { from = 0.5, to = 0.9 }
        points = 12
        [[labs.transpose.rubric.speed]]
        kernel = "transpose"
        over = "expert"
        at_least = 0.7
        points = 8
        """
    lab = registry(tmp_path, text).get("transpose")
    manifest = lab.manifest
    assert (manifest.title, manifest.summary, manifest.files) == ("Week 3", "own words", ("src/*.cu",))
    assert manifest.rubric.max_score == 100
    assert [rule.check for rule in manifest.rubric.technique] == [TechniqueCheck.COALESCED]
    assert [rule.scorer for rule in manifest.rubric.speed] == [
        Tiers(steps=(Tier(at_least=1.1, points=10), Tier(at_least=2, points=30))),
        Linear(start=0.5, full=0.9, points=12),
        Tiers(steps=(Tier(at_least=0.7, points=8),)),
    ]
    assert visibility(lab) == visibility(plain) | {"wide": Visibility.HIDDEN, "tall": Visibility.PUBLIC}
    assert code_version(lab) == code_version(plain)
    assert changed_parts(rubric_parts(plain), rubric_parts(lab)) == (
        "correctness",
        "speed",
        "summary",
        "technique",
        "title",
        "visibility.tall",
        "visibility.wide",
    )


def test_an_empty_table_changes_nothing_and_other_labs_stay(tmp_path: Path) -> None:
    found = registry(tmp_path, '[labs.transpose]\n[labs.matmul]\ntitle = "Own"')
    plain = discover()
    assert found.get("transpose").manifest == plain.get("transpose").manifest
    assert found.get("row-sum").manifest == plain.get("row-sum").manifest
    assert found.get("matmul").manifest.title == "Own"


def test_a_table_applies_to_a_lab_of_the_course(tmp_path: Path) -> None:
    lab = registry(tmp_path, '[labs.scale]\ntitle = "Own"', folder_of_labs(tmp_path)).get("scale")
    assert lab.manifest.title == "Own"


@pytest.mark.parametrize(
    ("line", "text", "said"),
    [
        (1, "[labs.transpos]", "did you mean 'transpose'"),
        (1, "[labs.zzz]", "the labs are axpy-precisions, batched-matmul"),
        (2, "[labs.transpose]\ntitel = 'x'", "no key labs.transpose.titel; did you mean title"),
        (2, "[labs.transpose]\ntitle = 3", "labs.transpose.title must be text in quotes, not 3"),
        (2, "[labs.transpose]\ncases = []", "no key labs.transpose.cases; known here: replace, title"),
        (2, "[labs.transpose]\nvisibility = { tal = 'public' }", "no case 'tal'; did you mean 'tall'"),
        (2, "[labs.transpose]\nvisibility = { q = 'public' }", "its cases are one-element"),
        (
            3,
            "[labs.transpose.visibility]\nwide = 'public'\ntall = 'pubic'",
            'visibility.tall must be one of "public", "hidden", not "pubic"',
        ),
        (2, "[labs.transpose]\nfiles = ['../*.cu']", "files: '../*.cu'"),
        (2, "[labs.transpose]\nfiles = 'a.cu'", "labs.transpose.files must be an array"),
        (2, "[labs.transpose]\nrubric = 5", "labs.transpose.rubric must be a table, not 5"),
        (2, "[labs.transpose.rubric]\ncorrectness = '5'", "rubric.correctness must be a number"),
        (2, "[labs.transpose.rubric]\ncorrectness = -5", "points must be zero or more, not -5"),
        (
            2,
            "[[labs.transpose.rubric.technique]]\nkernel = 'tranpose'\ncheck = 'coalesced'\npoints = 1",
            "names 'tranpose', which is not one of transpose",
        ),
        (
            3,
            "[[labs.transpose.rubric.technique]]\nkernel = 'transpose'\ncheck = 'fast'\npoints = 1",
            'check must be one of "uses-shared-memory"',
        ),
        (
            6,
            "\n\n[[labs.transpose.rubric.speed]]\nkernel = 'transpose'\npoints = 1\nover = 'naive'\nat_least = 1",
            "names 'naive', which is not one of global, shared_conflict",
        ),
        (
            1,
            "[[labs.transpose.rubric.speed]]\nkernel = 'transpose'\nroofline = 0.5\npoints = 1",
            "reveals the size of the hidden case very-large",
        ),
        (
            1,
            "[[labs.transpose.rubric.speed]]\nkernel = 'transpose'\npoints = 1",
            "needs one of at_least, tiers, linear, roofline",
        ),
        (2, "[labs.transpose]\nreplace = true", "replace needs a lab of this name"),
        (2, "[labs.transpose]\nreplace = 1", "replace must be true or false"),
        (1, "labs.transpose = 3", "no setting labs.transpose"),
    ],
)
def test_a_mistake_has_its_line_and_what_is_allowed(tmp_path: Path, line: int, text: str, said: str) -> None:
    message = complaint(tmp_path, text)
    assert f"grader.toml line {line}: " in message
    assert said in message


class TestALabNamedLikeAnother:
    """A course's lab replaces an installed one of the same name only if the course says so."""

    def own(self, root: Path) -> Catalogue:
        manifest = GOOD.replace('name = "scale"', 'name = "transpose"', 1)
        return folder_of_labs(root, manifest=manifest, name="transpose")

    def test_without_a_word_it_is_listed_with_what_to_write(self, tmp_path: Path) -> None:
        found = registry(tmp_path, "", self.own(tmp_path))
        assert found.get("transpose").manifest.title != "Scale"
        (broken,) = found.broken
        assert "[labs.transpose]" in broken.reason
        assert "replace = true" in broken.reason

    def test_with_replace_it_takes_the_place(self, tmp_path: Path) -> None:
        found = registry(tmp_path, "[labs.transpose]\nreplace = true", self.own(tmp_path))
        assert found.get("transpose").manifest.title == "Scale"
        assert found.broken == ()
        assert len(found.labs) == len(discover().labs)

    def test_a_broken_replacement_is_not_replaced_back(self, tmp_path: Path) -> None:
        catalogue = self.own(tmp_path)
        (catalogue.labs / "transpose" / "lab.py").write_text("import nowhere", encoding="utf-8")
        found = registry(tmp_path, "[labs.transpose]\nreplace = true", catalogue)
        assert "transpose" not in found.labs
        assert "matmul" in found.labs
        assert [broken.name for broken in found.broken] == ["transpose"]

    def test_two_folders_of_a_course_keep_the_first(self, tmp_path: Path) -> None:
        first, second = self.own(tmp_path / "a"), self.own(tmp_path / "b")
        found = registry(tmp_path, "[labs.transpose]\nreplace = true", first, second)
        assert found.get("transpose").folder == first.labs / "transpose"
        (broken,) = found.broken
        assert broken.folder == second.labs / "transpose"


def test_a_table_of_a_broken_lab_stops_nothing(tmp_path: Path) -> None:
    catalogue = folder_of_labs(tmp_path, code="import nowhere")
    found = registry(tmp_path, '[labs.scale]\ntitle = "Own"', catalogue)
    assert [broken.name for broken in found.broken] == ["scale"]
    assert "matmul" in found.labs


def test_a_table_of_a_lab_without_its_folder_stops_nothing(tmp_path: Path) -> None:
    missing = Catalogue(labs=tmp_path / "nowhere", reference=tmp_path)
    found = registry(tmp_path, '[labs.scale]\ntitle = "Own"', missing)
    assert "matmul" in found.labs
    assert [broken.name for broken in found.broken] == ["nowhere"]


def test_a_course_prices_findings_in_its_own_way(tmp_path: Path) -> None:
    text = """
        [labs.transpose.rubric.findings]
        missing-syncwarp = { points = 4, accepted = true }
        """
    plain, lab = discover().get("transpose"), registry(tmp_path, text).get("transpose")
    assert lab.manifest.rubric.findings == (
        FindingRule(finding=CostlyFinding.MISSING_SYNCWARP, points=4, accepted=True),
    )
    assert len(plain.manifest.rubric.findings) > 1
    assert changed_parts(rubric_parts(plain), rubric_parts(lab)) == ("findings",)
    assert code_version(lab) == code_version(plain)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("missing-syncwrap = { share = 1 }", "a key of labs.transpose.rubric.findings must be"),
        ("missing-syncwarp = { }", "needs points or share"),
        ("missing-syncwarp = { share = 1, points = 1 }", "needs points or share"),
        ("missing-syncwarp = { share = 1.5 }", "share must be from 0 to 1"),
        ("missing-syncwarp = { points = -1 }", "points must be zero or more"),
    ],
)
def test_a_mistake_in_the_price_of_a_finding_has_its_line(tmp_path: Path, line: str, said: str) -> None:
    message = complaint(tmp_path, f"[labs.transpose.rubric.findings]\n{line}\n")
    assert "grader.toml line " in message
    assert said in message
