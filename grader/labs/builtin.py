"""The catalogue of the built-in labs, registered like that of any plugin."""

from pathlib import Path

from grader.labs.registry import Catalogue

_PACKAGED = Path(__file__).parent / "_bundled"
_CHECKOUT = Path(__file__).parents[2]


def catalogue() -> Catalogue:
    """The built-in labs: from the installed package, or from the root of the checkout that contains this file."""
    root = _PACKAGED if _PACKAGED.is_dir() else _CHECKOUT
    return Catalogue(labs=root / "assignments", reference=root / "reference")
