"""The table of attacks in the documentation, from the catalogue: ``python -m tests.attacks.page``."""

from tests.attacks.entries import Attack, Section, sections
from tools.pages import table, write
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "contributor" / "attacks.md"

_HEADER = ("line", "attack", "what it would have gained", "what stops it", "shown by")


def content() -> dict[str, str]:
    """The text between the markers of the page."""
    return {"attacks": "\n\n".join(_section(section) for section in sections())}


def _section(section: Section) -> str:
    rows = [_row(section, attack) for attack in section.attacks]
    return f"## {section.letter}. {section.title}\n\n{table(_HEADER, rows, len(_HEADER))}"


def _row(section: Section, attack: Attack) -> tuple[str, ...]:
    files = [
        f"`{section.letter}/{attempt.file}`{' (never executed)' if attempt.never_run else ''}"
        for attempt in attack.attempts
    ]
    shown = ", ".join([*files, *(f"`{test}`" for test in attack.tests)])
    gpu = " (on a GPU)" if attack.needs_gpu else ""
    return str(attack.line), attack.title, attack.gain, attack.stopped_by, f"{shown}{gpu}"


if __name__ == "__main__":
    write(content(), PAGE)
