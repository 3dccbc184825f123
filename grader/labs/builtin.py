"""Where the labs that come with the package live: a catalogue like any plugin's."""

from pathlib import Path

from grader.labs.registry import Catalogue

_PACKAGED = Path(__file__).parent / "_bundled"
_CHECKOUT = Path(__file__).parents[2]


def catalogue() -> Catalogue:
    """The built-in labs: inside the installed package, or at the top of the checkout this file is part of."""
    root = _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT
    return Catalogue(labs=root / "assignments", reference=root / "reference")
