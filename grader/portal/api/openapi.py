"""The description of the API as OpenAPI 3.1, made from the table of routes and the types of its documents.

``python -m grader.portal.api.openapi`` prints it.
"""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any

import msgspec

from grader import __version__
from grader.api.problems import ErrorDocument
from grader.portal.api.route import PREFIX, Media, Query, Route
from grader.portal.api.site import API
from grader.report import json_files

_TEMPLATE = "#/components/schemas/{name}"
_PARAMETER = re.compile(r"\{(\w+)(?::(\w+))?\}")
_KINDS: Mapping[object, str] = {str: "string", int: "integer"}
_JSON = "application/json"
_TOKEN = "token"  # noqa: S105 - the name of a scheme, not a secret


def document(routes: Iterable[Route] = API) -> dict[str, Any]:
    """The description of ``routes``."""
    listed = tuple(routes)
    types = tuple(dict.fromkeys(_types(listed)))
    schemas, components = msgspec.json.schema_components(types, ref_template=_TEMPLATE)
    refs = dict(zip(types, schemas, strict=True))
    paths: dict[str, dict[str, Any]] = {}
    for route in listed:
        paths.setdefault(_path(route), {})[route.method.lower()] = _operation(route, refs)
    described = {
        "openapi": "3.1.0",
        "info": {
            "title": "Grader",
            "summary": "The API of a course's server",
            "version": __version__,
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": PREFIX}],
        "security": [{_TOKEN: []}],
        "paths": dict(sorted(paths.items())),
        "components": {
            "schemas": dict(sorted(components.items())),
            "securitySchemes": {
                _TOKEN: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "A token from the page `/me` or from `grader login`.",
                }
            },
        },
    }
    # Defaults of fields are still tuples.
    plain: dict[str, Any] = json.loads(msgspec.json.encode(described))
    return plain


def encoded() -> bytes:
    """The description as a file."""
    return json_files.indented(document())


def _types(routes: Iterable[Route]) -> Iterable[type]:
    yield ErrorDocument
    for route in routes:
        given = route.gives.schema if isinstance(route.gives, Media) else route.gives
        yield from (kind for kind in (route.takes, given) if kind is not None)


def _operation(route: Route, refs: Mapping[type, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {"operationId": route.name, "summary": route.summary}
    if route.scopes is None:
        operation["security"] = [{}]
    else:
        words = " or ".join(f"`{scope}`" for scope in route.scopes)
        operation["description"] = f"Scope: {words}." if words else "Any token may ask."
    if parameters := [*_in_path(route), *map(_in_query, route.query), *_headers(route)]:
        operation["parameters"] = parameters
    if route.takes is not None:
        content = _taken(refs[route.takes], with_files=route.takes_files)
        operation["requestBody"] = {"required": True, "content": content}
    operation["responses"] = {
        str(route.status): _given(route, refs),
        "default": {
            "description": "The request is refused.",
            "content": {_JSON: {"schema": refs[ErrorDocument]}},
        },
    }
    return operation


def _path(route: Route) -> str:
    return _PARAMETER.sub(r"{\1}", route.path)


def _in_path(route: Route) -> Iterable[dict[str, Any]]:
    for name, kind in _PARAMETER.findall(route.path):
        schema = {"type": "integer" if kind == "int" else "string"}
        yield {"name": name, "in": "path", "required": True, "schema": schema}


def _in_query(query: Query) -> dict[str, Any]:
    schema: dict[str, Any] = {"type": _KINDS[query.kind]}
    if query.kind is int:
        schema |= {"minimum": query.low, "maximum": query.high}
    return {"name": query.name, "in": "query", "description": query.meaning, "schema": schema}


def _headers(route: Route) -> Iterable[dict[str, Any]]:
    if route.takes_files:
        meaning = "Your own name of this submission; the same name again gives the same attempt."
        yield {
            "name": "Idempotency-Key",
            "in": "header",
            "description": meaning,
            "schema": {"type": "string"},
        }


def _taken(schema: Any, *, with_files: bool) -> dict[str, Any]:
    content: dict[str, Any] = {_JSON: {"schema": schema}}
    if with_files:
        files = {"type": "array", "items": {"type": "string", "format": "binary"}}
        form = {
            "type": "object",
            "properties": {"lab": {"type": "string"}, "file": files},
            "required": ["file"],
        }
        content["multipart/form-data"] = {"schema": form}
    return content


def _given(route: Route, refs: Mapping[type, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = {"description": HTTPStatus(route.status).phrase}
    if isinstance(route.gives, Media):
        schema = {"type": "string"} if route.gives.schema is None else refs[route.gives.schema]
        answer["content"] = {name: {"schema": schema} for name in route.gives.types}
    elif route.gives is not None:
        answer["content"] = {_JSON: {"schema": refs[route.gives]}}
    return answer


if __name__ == "__main__":
    sys.stdout.buffer.write(encoded())
