"""Counting a shared-memory access again, away from any launch: what it would cost at other addresses."""

from typing import Any

from grader.engines.emulator.core.jit import entry
from grader.engines.emulator.core.traffic import count_wavefronts


@entry
def recount(contexts: Any, lanes: int, size: int, load: bool) -> None:
    """Add an access whose addresses lie in the scratch area to the traffic of the first micro-operation."""
    count_wavefronts(contexts[0], 0, size, lanes, load)
