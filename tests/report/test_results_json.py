"""``results.json`` and its published schema."""

import json
import math
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from jsonschema import Draft202012Validator

from grader.errors import UserError
from grader.model.report import ResultsDocument
from grader.report import results_json
from tests.report.documents import documents
from tests.report.examples import BYTES_NAME, DOCUMENT, kernel, report, speedup

VALIDATOR = Draft202012Validator(results_json.schema())


@given(documents)
def test_what_is_written_is_read_back_and_fits_the_schema(document: ResultsDocument) -> None:
    data = results_json.dump(document)
    again = results_json.dump(results_json.load(data))
    assert _without_codes(json.loads(again)) == _without_codes(json.loads(data))
    VALIDATOR.validate(json.loads(data))


def _without_codes(plain: object) -> object:
    """``plain`` without the codes of reasons: a document that is read has texts as they are written."""
    if isinstance(plain, dict):
        return {name: _without_codes(value) for name, value in plain.items() if name != "code"}
    return [_without_codes(each) for each in plain] if isinstance(plain, list) else plain


def test_the_example_class_fits_the_schema() -> None:
    VALIDATOR.validate(json.loads(results_json.dump(DOCUMENT)))


def test_the_schema_is_a_schema() -> None:
    Draft202012Validator.check_schema(results_json.schema())


def test_the_published_schema_is_the_code_s(checkout: Path) -> None:
    published = (checkout / "docs" / "reference" / "results.schema.json").read_bytes()
    assert published == results_json.schema_bytes(), (
        "regenerate it: python -m grader.report.results_json > docs/reference/results.schema.json"
    )


def test_the_command_that_publishes_the_schema_prints_it(checkout: Path) -> None:
    command = [sys.executable, "-m", "grader.report.results_json"]
    printed = subprocess.run(command, cwd=checkout, capture_output=True, check=True).stdout
    assert printed == results_json.schema_bytes()


def test_the_keys_are_those_that_were_promised() -> None:
    plain = json.loads(results_json.dump(DOCUMENT))
    assert list(plain) == ["schema_version", "grader_version", "created_at", "engine", "reports"]
    assert plain["schema_version"] == 1
    assert set(plain["engine"]) == {"kind", "device"}
    graded = next(r for r in plain["reports"] if r["student"] == "student-02")
    promised = {"student", "lab", "file", "language", "verdict", "score", "max_score", "parts", "kernels"}
    assert promised <= set(graded)
    assert set(graded["parts"][0]) == {"name", "score", "max_score", "reason", "withheld", "code"}
    fast = graded["kernels"][1]
    assert {"name", "verdict", "reason", "cases", "speedup", "resources", "diagnostics"} <= set(fast)
    assert set(fast["cases"][0]) == {"name", "visibility", "verdict", "reason", "code", "wrong_map"}
    assert set(fast["speedup"]) == {"value", "low", "high", "kind", "baseline"}
    assert {"registers", "spill_bytes", "shared_bytes", "occupancy"} <= set(fast["resources"])
    assert set(fast["diagnostics"][0]) >= {"kind", "severity", "file", "line", "message", "advice", "count"}


def _spoilt(path: tuple[str | int, ...], value: object) -> dict[str, Any]:
    plain: dict[str, Any] = json.loads(results_json.dump(replace(DOCUMENT, reports=DOCUMENT.reports[:1])))
    parent: Any = plain
    for key in path[:-1]:
        parent = parent[key]
    parent[path[-1]] = value
    return plain


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("schema_version",), 2),
        (("engine", "kind"), "gpu"),
        (("reports", 0, "verdict"), "Accepted"),
        (("reports", 0, "language"), "cuda"),
        (("reports", 0, "score"), -1),
        (("reports", 0, "kernels", 1, "speedup", "kind"), "guessed"),
        (("reports", 0, "kernels", 1, "seconds"), -0.1),
        (("reports", 0, "kernels", 1, "resources", "occupancy"), 1.5),
        (("reports", 0, "kernels", 1, "diagnostics", 0, "line"), 0),
        (("reports", 0, "kernels", 1, "diagnostics", 0, "count"), "many"),
    ],
)
def test_the_schema_refuses(path: tuple[str | int, ...], value: object) -> None:
    assert not VALIDATOR.is_valid(_spoilt(path, value))


@pytest.mark.parametrize(
    "path", [("reports",), ("reports", 0, "reason"), ("reports", 0, "kernels", 1, "speedup")]
)
def test_the_schema_misses_every_field_that_is_left_out(path: tuple[str | int, ...]) -> None:
    plain = _spoilt(path, None)
    parent: Any = plain
    for key in path[:-1]:
        parent = parent[key]
    del parent[path[-1]]
    assert not VALIDATOR.is_valid(plain)


@pytest.mark.parametrize("speedup_or_resources", ["speedup", "resources", "seconds"])
def test_what_is_not_known_is_null(speedup_or_resources: str) -> None:
    VALIDATOR.validate(_spoilt(("reports", 0, "kernels", 1, speedup_or_resources), None))


def test_a_field_of_a_later_grader_is_passed_over() -> None:
    plain = _spoilt(("reports", 0, "mood"), "good")
    VALIDATOR.validate(plain)
    read = results_json.load(json.dumps(plain).encode()).reports
    assert [(each.student, each.score) for each in read] == [
        (r.student, r.score) for r in DOCUMENT.reports[:1]
    ]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"schema_version": "1"}',
        b'{"schema_version": 1}',
        b'{"schema_version": 1, "x": ' + b"[" * 100_000,
        json.dumps(_spoilt(("reports", 0, "verdict"), "sp\nlendid")).encode(),
    ],
)
def test_bad_input_is_one_line_to_the_user(data: bytes) -> None:
    with pytest.raises(UserError, match=r"results\.json is not a results document") as caught:
        results_json.load(data, "results.json")
    assert len(str(caught.value).splitlines()) == 1


def test_another_version_is_named() -> None:
    with pytest.raises(UserError, match="has schema version 7; this grader reads version 1"):
        results_json.load(b'{"schema_version": 7}')


def test_undecodable_names_are_escaped() -> None:
    document = replace(DOCUMENT, reports=(report(BYTES_NAME, "matmul"),))
    assert results_json.load(results_json.dump(document)).reports[0].student == r"M\xfcller"


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_json_cannot_encode_are_refused(value: float) -> None:
    document = replace(DOCUMENT, reports=(report("a", "matmul", kernel("matmul", fast=speedup(value))),))
    with pytest.raises(ValueError, match=r"(nan|inf), which JSON cannot"):
        results_json.dump(document)


def test_it_is_written_where_asked(tmp_path: Path) -> None:
    results_json.write(tmp_path / "results.json", DOCUMENT)
    assert (tmp_path / "results.json").read_bytes() == results_json.dump(DOCUMENT)


def test_the_page_about_it_names_every_field(checkout: Path) -> None:
    page = (checkout / "docs" / "reference" / "results-json.md").read_text("utf-8")
    schema = results_json.schema()
    described = [schema, *(d for d in schema["$defs"].values() if "properties" in d)]
    missing = {field for d in described for field in d["properties"] if f"`{field}`" not in page}
    words = [word for d in schema["$defs"].values() for word in d.get("enum", ())]
    assert missing == set()
    assert [word for word in words if f"`{word}`" not in page] == []


def test_the_example_on_the_page_is_a_results_document(checkout: Path) -> None:
    page = (checkout / "docs" / "reference" / "results-json.md").read_text("utf-8")
    example = page.split("```json\n")[1].split("```")[0]
    VALIDATOR.validate(json.loads(example))
    assert len(results_json.load(example.encode()).reports) == 1
