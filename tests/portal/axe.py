"""axe-core in a page: rules of WCAG 2.2 A and AA, and best practices."""

from pathlib import Path

from playwright.sync_api import Page

_SOURCE = (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")

_OPTIONS = "{resultTypes: ['violations'], rules: {'target-size': {enabled: true}}}"

_RUN = f"async () => (await axe.run(document, {_OPTIONS})).violations"


def violations(page: Page) -> list[str]:
    """A line for each element that breaks a rule."""
    # Evaluated by the debugger, which no policy stops; the script creates a policy of its own.
    page.evaluate(_SOURCE)
    found = page.evaluate(_RUN)
    return [
        f"{each['id']}: {' '.join(node['target'])}: {node['failureSummary']}"
        for each in found
        for node in each["nodes"]
    ]
