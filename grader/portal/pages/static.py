"""Style sheet, script and icon."""

from starlette.responses import Response

from grader.errors import NotFoundError
from grader.portal.asked import Asked
from grader.portal.assets import assets
from grader.portal.page import Page


def static(asked: Asked) -> Response:
    """The asset at this address. Raises: ``NotFoundError``."""
    for asset in assets().values():
        if asset.path == asked.here:
            kept = {"Cache-Control": "public, max-age=31536000, immutable"}
            return Response(asset.data, media_type=asset.type, headers=kept)
    msg = "There is no such file."
    raise NotFoundError(msg)


ROUTES = (Page(path="/static/{name}", endpoint=static, scope=None),)
