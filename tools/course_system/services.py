"""The services of the course system: tokens, roster and columns, as LTI Advantage has them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from lti1p3platform.exceptions import LtiException
from lti1p3platform.ltiplatform import LTI1P3PlatformConfAbstract
from lti1p3platform.registration import Registration
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from tools.course_system.messages import AGS, KEY, NRPS, pem, public_pem

_PAGE = 2
"""Members on a page of the roster."""


class Platform(LTI1P3PlatformConfAbstract):  # type: ignore[misc]  # the package has no types
    """Checks what the tool signs, and gives it tokens."""

    def init_platform_config(self, **options: Any) -> None:
        """Make the registration of the tool."""
        made = Registration().set_iss(options["issuer"]).set_client_id(options["client_id"])
        made.set_platform_private_key(pem(KEY)).set_platform_public_key(public_pem(KEY))
        self._registration = made

    def get_registration_by_params(self, **options: Any) -> Any:
        """There is one registration."""
        del options
        return self._registration

    def trust(self, key_set: Mapping[str, Any]) -> None:
        """Know the tool by the public keys in ``key_set``."""
        self._registration.set_tool_key_set(key_set)


@dataclass
class Content:
    """What the course system holds. ``members`` are rows of its roster; ``items`` are columns by id.

    ``scores`` are all that were accepted, in their order, by column and person. While it ``is_down`` every service
    answers 503; it ``loses_answers`` that say it took a grade. It refuses grades of people ``not_graded`` with 422.
    ``tokens`` counts those that it gave.
    """

    members: list[dict[str, Any]] = field(default_factory=list)
    items: dict[str, dict[str, Any]] = field(default_factory=dict)
    scores: dict[tuple[str, str], list[dict[str, Any]]] = field(default_factory=dict)
    is_down: bool = False
    loses_answers: bool = False
    not_graded: set[str] = field(default_factory=set)
    tokens: int = 0

    def shown(self, item: str, person: str) -> float | None:
        """What the cell of ``person`` in a column shows, in the points of the column."""
        newest = self.scores.get((item, person), [{}])[-1]
        if newest.get("scoreGiven") is None:
            return None
        return float(newest["scoreGiven"] / newest["scoreMaximum"] * self.items[item]["scoreMaximum"])


class Services:
    """Answers the requests of the tool."""

    def __init__(self, platform: Platform, content: Callable[[], Content]) -> None:
        self._platform = platform
        self._now = content

    @property
    def _content(self) -> Content:
        return self._now()

    async def token(self, request: Request) -> Response:
        """A token for a signed assertion."""
        self._require_up()
        form = {name: str(value) for name, value in (await request.form()).items()}
        try:
            answer = self._platform.get_access_token(form)
        except LtiException as error:
            return JSONResponse({"error": "invalid_client", "error_description": str(error)}, 400)
        self._content.tokens += 1
        return JSONResponse(answer)

    def members(self, request: Request) -> Response:
        """A page of the roster."""
        self._require(request, f"{NRPS}scope/contextmembership.readonly")
        start = int(request.query_params.get("from", "0"))
        rows = self._content.members[start : start + _PAGE]
        headers = {}
        if start + _PAGE < len(self._content.members):
            headers["Link"] = f'<{request.url.replace_query_params()}?from={start + _PAGE}>; rel="next"'
        return JSONResponse({"id": str(request.url), "members": rows}, headers=headers)

    async def items(self, request: Request) -> Response:
        """All columns, or a new one."""
        self._require(request, f"{AGS}scope/lineitem")
        if request.method == "GET":
            return JSONResponse(list(self._content.items.values()))
        return JSONResponse(self.add_item(str(request.base_url), await request.json()), 201)

    def add_item(self, base: str, item: Mapping[str, Any]) -> dict[str, Any]:
        """A new column; the tool sees it below ``base``."""
        name = str(len(self._content.items) + 1)
        self._content.items[name] = {**item, "id": f"{base}items/{name}"}
        return self._content.items[name]

    async def score(self, request: Request) -> Response:
        """Take a grade, unless it is as old as the one that is there."""
        self._require(request, f"{AGS}scope/score")
        score = await request.json()
        if score["userId"] in self._content.not_graded:
            raise HTTPException(422)
        known = self._content.scores.setdefault((request.path_params["item"], score["userId"]), [])
        if known and score["timestamp"] <= known[-1]["timestamp"]:
            raise HTTPException(409)
        known.append(score)
        if self._content.loses_answers:
            raise HTTPException(504)
        return Response(status_code=204)

    def results(self, request: Request) -> Response:
        """What a column shows."""
        self._require(request, f"{AGS}scope/result.readonly")
        item = request.path_params["item"]
        rows = [
            {
                "id": f"{request.url}/{person}",
                "userId": person,
                "resultScore": self._content.shown(item, person),
                "resultMaximum": self._content.items[item]["scoreMaximum"],
            }
            for of, person in self._content.scores
            if of == item
        ]
        return JSONResponse(rows)

    def _require(self, request: Request, scope: str) -> None:
        self._require_up()
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        try:
            is_valid = self._platform.validate_token(token, [scope])
        except Exception as error:
            raise HTTPException(401) from error
        if not is_valid:
            raise HTTPException(403)

    def _require_up(self) -> None:
        if self._content.is_down:
            raise HTTPException(503)
