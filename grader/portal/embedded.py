"""Pages of reports inside the portal: whole documents with a style sheet of their own, and no script."""

import re

from starlette.responses import HTMLResponse, Response

from grader.portal.middleware.headers import POLICY

_STYLE = re.compile(r"style-src '(sha256-[A-Za-z0-9+/=]+)'")


def whole_page(text: str) -> Response:
    """``text``, a page that names the digest of its style sheet, with a policy that allows just this one.

    Raises: ``ValueError`` if it names none.
    """
    found = _STYLE.search(text)
    if found is None:
        msg = "the page names no style sheet"
        raise ValueError(msg)
    policy = (
        f"default-src 'none'; style-src '{found[1]}'; img-src data:; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    )
    return HTMLResponse(text, headers={POLICY: policy})
