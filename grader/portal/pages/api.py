"""The pages of the API: its routes, and their description."""

from functools import cache

from starlette.responses import Response

from grader.portal.api.answering import page
from grader.portal.api.openapi import encoded
from grader.portal.api.route import PREFIX
from grader.portal.api.site import API
from grader.portal.asked import Asked
from grader.portal.page import Page

_described = cache(encoded)


def describe(_asked: Asked) -> Response:
    """The description of the API, for programs and for people."""
    return Response(_described(), media_type="application/json")


ROUTES = (
    *map(page, API),
    Page(path=f"{PREFIX}/openapi.json", endpoint=describe, scope=None),
)
