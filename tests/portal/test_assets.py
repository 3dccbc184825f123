"""The script is what its authors released; both assets may be kept for ever."""

import hashlib
from importlib import resources

from grader.portal.assets import assets
from tests.portal.client import Portal

RELEASED = {
    "htmx.min.js": "a0abb04f2f45a1f89d1d4844023245537e5e6014c87b144553e0607b4cc32130",
    "hx-csp.min.js": "a7e1e6711ae6c3e50ad300fba7936cbe8d07599cdae313414a179ddd6b26e143",
    "hx-sse.min.js": "18ef2761356ec1fe0bb6d92612315b37517a7c1e9856b661c5ae81fef239d103",
}
"""SHA-256 of the files of htmx.org 4.0.1."""


def test_the_vendored_files_are_those_that_were_released() -> None:
    vendor = resources.files("grader.portal") / "vendor"
    found = {
        file.name: hashlib.sha256(file.read_bytes()).hexdigest()
        for file in vendor.iterdir()
        if file.name.endswith(".js")
    }
    assert found == RELEASED


def test_assets_are_served_and_kept(read_portal: Portal) -> None:
    client = read_portal.visit()
    for asset in assets().values():
        answer = client.get(asset.path)
        assert answer.content == asset.data
        assert answer.headers["content-type"].startswith(asset.type)
        assert "immutable" in answer.headers["cache-control"]
    assert client.get("/static/portal-0000.css").status_code == 404


def test_a_page_names_the_assets(read_portal: Portal) -> None:
    text = read_portal.visit().get("/sign-in").text
    for name in ("portal.js", "portal.css"):
        assert assets()[name].path in text
