"""Read the body of a request, and no more of it than a page takes."""

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.types import Message, Receive, Scope

from grader.errors import UserError
from grader.portal.asked import Form, Upload

_FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
_MAX_FIELDS = 2000
_MAX_FILES = 64


class BodyTooLargeError(UserError):
    """The body of a request is larger than its page takes."""


def capped(scope: Scope, receive: Receive, limit: int) -> Receive:
    """``receive`` that gives at most ``limit`` bytes, by the stated length and by what comes.

    Raises: ``BodyTooLargeError`` when more is read.
    """
    stated = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    is_too_large = not stated.isdigit() or int(stated) > limit
    received = 0

    async def counting() -> Message:
        nonlocal received
        if is_too_large:
            raise _too_large(limit)
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise _too_large(limit)
        return message

    return counting


async def read_form(request: Request, limit: int) -> Form:
    """The form in the body of ``request``. Raises: ``BodyTooLargeError``, Starlette's ``HTTPException``."""
    if not request.headers.get("content-type", "").startswith(_FORMS):
        return Form(body=await request.body())
    async with request.form(max_files=_MAX_FILES, max_fields=_MAX_FIELDS, max_part_size=limit) as sent:
        fields, files = [], []
        for name, value in sent.multi_items():
            if isinstance(value, UploadFile):
                # A field without a chosen file comes as a file without a name.
                if value.filename:
                    files.append((name, Upload(name=value.filename, data=await value.read())))
            else:
                fields.append((name, value))
    return Form(fields=fields, files=files)


def _too_large(limit: int) -> BodyTooLargeError:
    return BodyTooLargeError(
        f"More than {limit // 1024} KiB were sent, which is the most that this page takes."
    )
