"""Output of ``printf`` in kernels, up to a limit, and texts of assertions."""

import numpy as np

from grader.engines.emulator.isa.cells import WARP
from grader.engines.emulator.services.formatting import Arguments, formatted
from grader.engines.emulator.services.request import Request

MAX_PRINTED = 64 << 10
"""Most bytes that one run may print; the rest is cut off."""

CUT_OFF = f"\n[cut off: the emulator keeps the first {MAX_PRINTED:,} bytes that a run prints]\n"
"""Text that marks where the output was cut off."""

_MAX_STRING = 4096


class Printer:
    """The text of one run."""

    def __init__(self) -> None:
        self._text = bytearray()
        self._cut_off = False

    @property
    def text(self) -> str:
        """All printed text; invalid UTF-8 is replaced."""
        printed = self._text.decode(errors="replace")
        return printed + CUT_OFF if self._cut_off else printed

    def print(self, request: Request) -> None:
        """Execute ``vprintf(format, arguments)`` for each lane; the result is the number of arguments."""
        templates, buffers = request.source(0), request.source(1)
        answers = np.zeros(WARP, np.int32)
        for lane in request.lanes:
            template = request.string(int(templates[lane]), _MAX_STRING, lane)
            if template is None:
                answers[lane] = -1
                continue
            answers[lane] = self._print(request, template, int(buffers[lane]), lane)
        if request.call.targets:
            request.answer(0, answers)

    def _print(self, request: Request, template: bytes, buffer: int, lane: int) -> int:
        arguments = Arguments(lambda offset, count: request.read(buffer + offset, count, lane))
        self._keep(formatted(template, arguments, lambda address: request.string(address, _MAX_STRING, lane)))
        return arguments.taken

    def _keep(self, text: bytes) -> None:
        room = MAX_PRINTED - len(self._text)
        self._text += text[:room]
        self._cut_off = self._cut_off or len(text) > room


def assertion(request: Request) -> str:
    """The text of ``__assertfail(message, file, line, function, size)`` for the first requesting lane."""
    lane = request.lanes[0]
    message = request.string(int(request.source(0)[lane]), _MAX_STRING, lane) or b""
    return message.decode(errors="replace")
