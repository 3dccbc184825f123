"""A worker's loop: read a request, answer it, until the grader closes the pipe."""

from collections.abc import Callable
from io import BufferedIOBase
from typing import Any

from grader.errors import GraderError, UserError
from grader.worker import wire

Handler = tuple[type[Any], Callable[[Any], Any]]
"""The type a request's body is decoded to, and what answers it."""


def serve(reader: BufferedIOBase, writer: BufferedIOBase, handlers: dict[str, Handler]) -> None:
    """Answer requests until end of input. A handler's own failure is an answer too; a garbled request ends the loop."""
    while (payload := wire.read_frame(reader, wire.MAX_REQUEST_BYTES)) is not None:
        request = wire.decode(payload, wire.Request)
        wire.send(writer, _answer(request, handlers))


def _answer(request: wire.Request, handlers: dict[str, Handler]) -> bytearray:
    if request.kind not in handlers:
        return wire.frame(
            wire.Reply(nonce=request.nonce, error=f"this worker does not answer {request.kind!r}")
        )
    expected, handle = handlers[request.kind]
    try:
        return wire.answer(request.nonce, handle(wire.decode(request.body, expected)))
    except UserError as error:
        refusal = wire.Reply(nonce=request.nonce, error=error.problem, hint=error.hint)
    except (GraderError, wire.WireError) as error:
        refusal = wire.Reply(nonce=request.nonce, error=str(error))
    except MemoryError:
        raise
    except Exception as error:  # noqa: BLE001 - a fault of ours must reach the grader as one, not as a lost worker
        refusal = wire.Reply(nonce=request.nonce, error=f"{type(error).__name__}: {error}")
    return wire.frame(refusal)
