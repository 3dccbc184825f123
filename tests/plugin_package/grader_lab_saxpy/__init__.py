"""The saxpy lab, offered to Grader through the entry-point group ``grader.labs``."""

from pathlib import Path

from grader.labs import Catalogue

_HERE = Path(__file__).parent

CATALOGUE = Catalogue(labs=_HERE / "labs", reference=_HERE / "reference")
