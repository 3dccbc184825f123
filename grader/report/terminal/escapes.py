"""What a terminal shows as text with the escapes of its colours, for a terminal that is elsewhere."""

import io

from rich.console import Console, RenderableType


def with_escapes(shown: RenderableType, columns: int) -> str:
    """``shown`` in ``columns``, with all colours; a client drops those that its terminal lacks."""
    stream = io.StringIO()
    console = Console(
        file=stream, width=columns, force_terminal=True, color_system="truecolor", highlight=False
    )
    console.print(shown)
    return stream.getvalue()
