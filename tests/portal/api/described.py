"""A client of the API that holds every answer against the description of its operation."""

import re
from dataclasses import dataclass, field
from typing import Any

from httpx2 import Response
from jsonschema import Draft202012Validator
from starlette.testclient import TestClient

from grader.portal.api.openapi import document
from grader.portal.api.route import PREFIX

_PARAMETER = re.compile(r"\{\w+\}")


@dataclass
class Api:
    """Requests with ``token``; each answer must be one that the description allows."""

    client: TestClient
    token: str = ""
    description: dict[str, Any] = field(default_factory=document)
    asked: set[tuple[str, str]] = field(default_factory=set)
    """The operations that were asked and answered without an error."""

    def __call__(self, method: str, path: str, **options: Any) -> Response:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        headers |= options.pop("headers", {})
        answer = self.client.request(method, PREFIX + path, headers=headers, **options)
        self._check(method.lower(), path.partition("?")[0], answer)
        return answer

    def by(self, token: str) -> "Api":
        """The same client with another token."""
        return Api(self.client, token, self.description, self.asked)

    def _check(self, method: str, path: str, answer: Response) -> None:
        template = self._template(method, path)
        if template is None:
            assert answer.status_code == 404
            self._validate(answer, {"$ref": "#/components/schemas/ErrorDocument"})
            return
        responses = self.description["paths"][template][method]["responses"]
        if answer.status_code == 304:
            assert not answer.content
            return
        said = responses.get(str(answer.status_code), responses["default"])
        assert answer.status_code >= 400 or str(answer.status_code) in responses
        content = said.get("content")
        if content is None:
            assert not answer.content
        else:
            media = answer.headers["content-type"].partition(";")[0]
            assert media in content
            if media == "application/json":
                self._validate(answer, content[media]["schema"])
        if answer.status_code < 400:
            self.asked.add((method, template))

    def _template(self, method: str, path: str) -> str | None:
        for template, operations in sorted(self.description["paths"].items()):
            pattern = _PARAMETER.sub("[^/]+", template)
            if method in operations and re.fullmatch(pattern, path):
                return str(template)
        return None

    def _validate(self, answer: Response, schema: dict[str, Any]) -> None:
        whole = {**schema, "components": self.description["components"]}
        Draft202012Validator(whole).validate(answer.json())
