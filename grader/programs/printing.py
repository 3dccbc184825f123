"""What the kernels of a program print, in a buffer of limited size: where it is full, the oldest text is lost."""

from grader.engines.emulator.services.printing import Printer

DEFAULT_BYTES = 1 << 20
"""``cudaLimitPrintfFifoSize`` of a new program."""


class ProgramPrinter(Printer):
    """The text that kernels have printed since the program took it last."""

    def __init__(self) -> None:
        super().__init__()
        self.limit = DEFAULT_BYTES
        self.has_lost = False
        self._waiting = bytearray()

    def take(self) -> bytes:
        """Take the text out, and make room."""
        taken = bytes(self._waiting)
        self._waiting.clear()
        return taken

    def _keep(self, text: bytes) -> None:
        self._waiting += text
        if len(self._waiting) > self.limit:
            self.has_lost = True
            del self._waiting[: len(self._waiting) - self.limit]
