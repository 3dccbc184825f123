"""Pages of reports, which hold their own style and script and the policy that allows exactly these."""

import html
import re

from starlette.responses import HTMLResponse, Response

from grader.portal.middleware.headers import POLICY

_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


def report_page(text: str) -> Response:
    """``text``, a whole page of ``grader.report.pages``, under its own policy."""
    found = _POLICY.search(text)
    if found is None:
        msg = "a page of a report has no policy"
        raise ValueError(msg)
    return HTMLResponse(text, headers={POLICY: f"{html.unescape(found[1])}; frame-ancestors 'none'"})
