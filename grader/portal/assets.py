"""Style sheet and script: files of the package, bundled, with their digest in the address."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

_SCRIPTS = ("htmx.min.js", "hx-csp.min.js", "hx-sse.min.js")
"""htmx and its extensions in the order that they need. Separate files would race at start-up."""

_FIRST_STYLE = "portal.css"
"""The style sheet with the tokens; those of areas follow it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """A file that browsers may keep for ever, because its address changes with its content."""

    data: bytes
    type: str
    path: str


@cache
def assets() -> Mapping[str, Asset]:
    """The assets by name."""
    root = resources.files("grader.portal")
    vendor, static = root / "vendor", root / "static"
    styles = sorted(file.name for file in static.iterdir() if file.name.endswith(".css"))
    styles.sort(key=lambda name: name != _FIRST_STYLE)
    script = b"\n;".join((vendor / name).read_bytes() for name in _SCRIPTS)
    style = b"\n".join((static / name).read_bytes() for name in styles)
    return {
        "portal.js": _asset("portal.js", script, "text/javascript"),
        "portal.css": _asset("portal.css", style, "text/css"),
        "icon.svg": _asset("icon.svg", (static / "icon.svg").read_bytes(), "image/svg+xml"),
    }


def url(name: str) -> str:
    """The address of the asset ``name``."""
    return assets()[name].path


def _asset(name: str, data: bytes, type: str) -> Asset:  # noqa: A002 - MIME's word
    stem, _, ending = name.partition(".")
    return Asset(
        data=data, type=type, path=f"/static/{stem}-{hashlib.sha256(data).hexdigest()[:16]}.{ending}"
    )
