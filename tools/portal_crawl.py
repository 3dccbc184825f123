"""Walk every link of the portal as one visitor, and list its forms."""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urldefrag, urljoin, urlsplit

from starlette.applications import Starlette
from starlette.routing import Match, Route
from starlette.testclient import TestClient

_LINKS = {"a": ("href",), "link": ("href",), "script": ("src",), "img": ("src",)}
_LIVE = ("hx-get", "hx-sse:connect")

START = "/"


@dataclass(frozen=True, kw_only=True)
class Form:
    """A form of the page at ``page``: where it goes, and its fields with the values that they have."""

    page: str
    action: str
    method: str
    fields: Mapping[str, str]


@dataclass(frozen=True, kw_only=True)
class Visited:
    """An answer to a visitor, and what it leads to."""

    path: str
    route: str
    status: int
    type: str
    text: str
    size: int
    links: Sequence[str] = ()
    forms: Sequence[Form] = ()


@dataclass
class _Found(HTMLParser):
    """Collects links and forms."""

    page: str
    links: list[str] = field(default_factory=list)
    forms: list[Form] = field(default_factory=list)
    _form: tuple[str, str, dict[str, str]] | None = None

    def __post_init__(self) -> None:
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note a link, or a field of the form that is open."""
        found = {name: value or "" for name, value in attrs}
        for name in (*_LINKS.get(tag, ()), *_LIVE):
            if name in found:
                self.links.append(urljoin(self.page, found[name]))
        if tag == "form":
            action = urljoin(self.page, found.get("action", "") or self.page)
            self._form = (action, found.get("method", "get").upper(), {})
        elif self._form is not None and "name" in found and tag in {"input", "button", "select", "textarea"}:
            self._form[2].setdefault(found["name"], found.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        """Close the form."""
        if tag == "form" and self._form is not None:
            action, method, fields = self._form
            self.forms.append(Form(page=self.page, action=action, method=method, fields=fields))
            self._form = None


def route_of(app: Starlette, path: str, method: str = "GET") -> str:
    """The path of the page's row in the table; empty if no page has this address."""
    scope = {"type": "http", "path": urlsplit(path).path, "method": method, "headers": []}
    for each in app.routes:
        if isinstance(each, Route) and each.matches(scope)[0] is Match.FULL:
            return each.path
    return ""


def crawl(app: Starlette, client: TestClient, start: str = START, *, of_each: int = 4) -> Iterator[Visited]:
    """Every page that ``client`` reaches from ``start``, by links, redirects and forms that only ask.

    Of pages with one row in the table, at most ``of_each``. A stream is not opened.
    """
    queue, seen, counts = deque([start]), {start}, Counter[str]()
    while queue:
        path = queue.popleft()
        row = route_of(app, path)
        if counts[row] >= of_each or row.endswith("/events"):
            continue
        counts[row] += 1
        visited = _visit(client, path, row)
        yield visited
        for link in (*visited.links, *(form.action for form in visited.forms if form.method == "GET")):
            own = urldefrag(link).url
            if own.startswith("/") and not own.startswith("//") and own not in seen:
                seen.add(own)
                queue.append(own)


def _visit(client: TestClient, path: str, row: str) -> Visited:
    answer = client.get(path)
    kind = answer.headers.get("content-type", "")
    text = answer.text if kind.startswith(("text/", "application/json", "application/xml")) else ""
    found = _Found(page=path)
    if kind.startswith("text/html"):
        found.feed(text)
    if "location" in answer.headers:
        found.links.append(answer.headers["location"])
    return Visited(
        path=path,
        route=row,
        status=answer.status_code,
        type=kind,
        text=text,
        size=len(answer.content),
        links=found.links,
        forms=found.forms,
    )
