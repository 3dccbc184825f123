"""Pieces of students' Python, one after the other in text files, each below a line ``--- name``."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent


def shapes(name: str) -> dict[str, str]:
    """Return the pieces of a file by their names."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    pieces = (piece.partition("\n") for piece in text.split("--- ")[1:])
    return {title: piece for title, _, piece in pieces}


def expecting(name: str) -> list[object]:
    """Return the pieces of a file, each with the code and the line that end its title, as test parameters."""
    found: list[object] = []
    for title, piece in shapes(name).items():
        code, line = title.split()[-2:]
        found.append(pytest.param(piece, (code, int(line)), id=title))
    return found
