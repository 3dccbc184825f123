"""The course system as a server on this machine."""

import html
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from grader.store.lti_values import NewPlatform
from tools.course_system.messages import KEY, asking_for_a_link, launch_claims, signed
from tools.course_system.services import Content, Platform, Services

CLIENT_ID = "grader-at-school"


class CourseSystem:
    """A course system at ``issuer``; ``content`` is what it holds."""

    def __init__(self, port: int) -> None:
        self.issuer = f"http://localhost:{port}"
        self.content = Content()
        self.placed: list[Mapping[str, Any]] = []
        self._platform = Platform(issuer=self.issuer, client_id=CLIENT_ID)
        services = Services(self._platform, lambda: self.content)
        self._services = services
        self.app = Starlette(
            routes=[
                Route("/jwks", self._jwks),
                Route("/auth", self._authorize),
                Route("/token", services.token, methods=["POST"]),
                Route("/members", services.members),
                Route("/items", services.items, methods=["GET", "POST"]),
                Route("/items/{item}/scores", services.score, methods=["POST"]),
                Route("/items/{item}/results", services.results),
                Route("/placed", self._place, methods=["POST"]),
                Route("/course", self._course),
                Route("/favicon.ico", lambda _: Response(status_code=204)),
            ]
        )

    @property
    def registration(self) -> NewPlatform:
        """What an operator registers."""
        return NewPlatform(
            issuer=self.issuer,
            client_id=CLIENT_ID,
            login_url=f"{self.issuer}/auth",
            token_url=f"{self.issuer}/token",
            keys_url=f"{self.issuer}/jwks",
            deployments=("1",),
        )

    def trust(self, key_set: Mapping[str, Any]) -> None:
        """Know the tool by its public keys."""
        self._platform.trust(key_set)

    def member(self, subject: str) -> Mapping[str, Any]:
        """The row of a person in the roster."""
        return next(each for each in self.content.members if each["user_id"] == subject)

    def claims(self, subject: str, nonce: str, *, lab: str = "") -> dict[str, Any]:
        """What a launch of a person says; a link to a lab has the column that was placed with it."""
        claims = launch_claims(self.issuer, CLIENT_ID, self.member(subject), nonce, lab=lab)
        for item in self.content.items.values():
            if lab and item.get("resourceId") == lab:
                claims["https://purl.imsglobal.org/spec/lti-ags/claim/endpoint"]["lineitem"] = item["id"]
        return claims

    def column(self, lab: str) -> str:
        """The id of the column of ``lab``."""
        return next(name for name, item in self.content.items.items() if item.get("resourceId") == lab)

    def place(self, token: str) -> None:
        """Take the answer to a request for a link: keep the link, and make its column."""
        for link in self._platform.validate_deeplinking_resp({"JWT": token}):
            self.placed.append(link)
            if "lineItem" in link:
                self._services.add_item(f"{self.issuer}/", link["lineItem"])

    def _jwks(self, _: Request) -> Response:
        public = json.loads(KEY.export_public())
        return JSONResponse({"keys": [{**public, "kid": KEY.thumbprint(), "alg": "RS256", "use": "sig"}]})

    def _authorize(self, request: Request) -> Response:
        """The answer to a login: a form for the tool, which the browser posts by itself."""
        asked = request.query_params
        hint = dict(parse_qsl(asked["lti_message_hint"]))
        claims = self.claims(asked["login_hint"], asked["nonce"], lab=hint.get("lab", ""))
        if hint.get("kind") == "place":
            claims = asking_for_a_link(claims)
        fields = {"id_token": signed(claims), "state": asked["state"]}
        return HTMLResponse(_form(asked["redirect_uri"], fields, then="document.forms[0].submit()"))

    async def _place(self, request: Request) -> Response:
        self.place(str((await request.form())["JWT"]))
        return HTMLResponse(f"<title>Placed</title><p>{len(self.placed)} placed</p>")

    def _course(self, request: Request) -> Response:
        """A page of the course: a link to the tool, in a window or in a frame."""
        asked = request.query_params
        tool = asked["tool"]
        fields = {
            "iss": self.issuer,
            "client_id": CLIENT_ID,
            "login_hint": asked["as"],
            "lti_message_hint": urlencode({"lab": asked.get("lab", ""), "kind": asked.get("kind", "")}),
            "target_link_uri": f"{tool}/lti/launch",
        }
        if asked.get("frame"):
            source = html.escape(f"{tool}/lti/login?{urlencode(fields)}")
            return HTMLResponse(
                f'<title>Course</title><iframe name="tool" width="900" height="600" src="{source}"></iframe>'
            )
        return HTMLResponse(_form(f"{tool}/lti/login", fields))


def _form(action: str, fields: Mapping[str, str], then: str = "") -> str:
    inputs = "".join(
        f'<input type="hidden" name="{name}" value="{html.escape(value)}">' for name, value in fields.items()
    )
    form = f'<form method="post" action="{html.escape(action)}">{inputs}<button>Open Grader</button></form>'
    return f"<!doctype html><title>Course</title>{form}<script>{then}</script>"


@contextmanager
def running() -> Iterator[CourseSystem]:
    """A course system that answers on a free port until the end."""
    server = uvicorn.Server(
        uvicorn.Config(_Late(), host="127.0.0.1", port=0, log_level="error", lifespan="off")
    )
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        thread.join(0.01)
        assert thread.is_alive()
    system = CourseSystem(server.servers[0].sockets[0].getsockname()[1])
    app = server.config.app
    assert isinstance(app, _Late)
    app.app = system.app
    try:
        yield system
    finally:
        server.should_exit = True
        thread.join()


class _Late:
    """An application that is made when the port is known."""

    app: Starlette | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        assert self.app is not None
        await self.app(scope, receive, send)


def login_fields(url: str) -> dict[str, str]:
    """What the tool asks at a login."""
    return dict(parse_qsl(urlsplit(url).query))
