"""The description of the API is a valid one, up to date, and of every route."""

import json

from openapi_spec_validator import validate

from grader.portal.api.openapi import document, encoded
from grader.portal.api.route import PREFIX
from grader.portal.api.site import API
from tests.portal.api.conftest import As
from tools.paths import CHECKOUT
from tools.portal_course import ADA

PAGE = CHECKOUT / "docs" / "reference" / "openapi.json"


def test_the_description_is_valid_openapi() -> None:
    validate(document())


def test_the_description_in_the_documentation_is_up_to_date() -> None:
    assert PAGE.read_bytes() == encoded(), (
        "run `python -m grader.portal.api.openapi > docs/reference/openapi.json`"
    )


def test_every_route_is_described_once() -> None:
    described = [
        operation["operationId"] for path in document()["paths"].values() for operation in path.values()
    ]
    assert sorted(described) == sorted(route.name for route in API)
    assert len(set(described)) == len(described)


def test_every_route_has_a_summary_and_every_object_a_description() -> None:
    assert [route.name for route in API if not route.summary.endswith(".")] == []
    schemas = document()["components"]["schemas"]
    assert [name for name, schema in schemas.items() if not schema.get("description", "x")] == []


def test_the_server_gives_the_description_to_everybody(read_api: As) -> None:
    answer = read_api(ADA).client.get(f"{PREFIX}/openapi.json")
    assert answer.status_code == 200
    assert answer.json() == json.loads(encoded())
