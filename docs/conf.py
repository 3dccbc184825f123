"""Sphinx configuration: Markdown through MyST, the Furo theme, and warnings that fail the build."""

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
