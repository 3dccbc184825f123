"""Sphinx configuration: Markdown through MyST, the Furo theme, and warnings that fail the build."""

import re
import shutil
from pathlib import Path

from sphinx.application import Sphinx

from grader import __version__

project = "Grader"
author = "The Grader maintainers"
copyright = "2026, the Grader maintainers"
release = __version__

extensions = ["myst_parser"]
myst_enable_extensions = ["colon_fence", "deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
nitpicky = True

html_theme = "furo"
html_title = f"Grader {release}"
html_show_sourcelink = False

# Measured tables live in `benchmarks/tables`, beside the programs that write them. The site shows a copy.
_DOCS = Path(__file__).parent
_SITE_TABLES = _DOCS / "measurements"
shutil.rmtree(_SITE_TABLES, ignore_errors=True)
shutil.copytree(_DOCS.parent / "benchmarks" / "tables", _SITE_TABLES)

# Pages link to each other by the paths that hold in the repository; the site needs its own.
_SITE_PATHS = [(r"\]\((?:\.\./)+benchmarks/tables/", "](/measurements/"), (r"\]\((?:\.\./)+docs/", "](/")]


def _use_site_paths(_app: Sphinx, _docname: str, source: list[str]) -> None:
    for in_repository, in_site in _SITE_PATHS:
        source[0] = re.sub(in_repository, in_site, source[0])


def setup(app: Sphinx) -> None:
    """Rewrite links between `docs/` and `benchmarks/tables/`."""
    app.connect("source-read", _use_site_paths)
