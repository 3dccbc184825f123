"""What everybody was given or could be: the fingerprints of a lab's starter, handout and reference kernels."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from grader.grading.rungs import rung_files, rung_sources, submission_of
from grader.labs.lab import Lab
from grader.languages import installed, of_file
from grader.model.similarity import Fingerprints, View
from grader.model.submission import SourceFile
from grader.similarity.compiled import Fingerprinter
from grader.similarity.fingerprints import of_sources

_FENCED = re.compile(r"^```\w*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def handout_fingerprints(lab: Lab, fingerprinter: Fingerprinter) -> Mapping[View, frozenset[int]]:
    """The hashes that never count between two submissions to ``lab``. Raises: ``InfrastructureError``."""
    found: dict[View, set[int]] = defaultdict(set)
    for each in (*_of_files(lab), *_of_handouts(lab), *_of_compiled(lab, fingerprinter)):
        for view, fingerprints in each.views.items():
            found[view].update(fingerprint.hash for fingerprint in fingerprints)
    return {view: frozenset(hashes) for view, hashes in found.items()}


def _of_files(lab: Lab) -> Iterator[Fingerprints]:
    """Those of every source file, also of the parts that rungs share."""
    folders = (lab.folder / "starter", lab.reference, *([] if lab.common is None else [lab.common]))
    for path in (path for folder in folders for path in _files(folder)):
        language = of_file(path.name)
        if language is not None:
            yield of_sources([SourceFile(name=path.name, data=path.read_bytes())], language.key)


def _of_handouts(lab: Lab) -> Iterator[Fingerprints]:
    """Those of the code in the handouts, read as every language."""
    for path in sorted(lab.folder.glob("README*.md")):
        for code in _FENCED.findall(path.read_text("utf-8", errors="replace")):
            for language in installed():
                yield of_sources([SourceFile(name=path.name, data=code.encode())], language)


def _of_compiled(lab: Lab, fingerprinter: Fingerprinter) -> Iterator[Fingerprints]:
    """Those of the PTX of every rung, and of starters that compile."""
    for rung in lab.manifest.rungs:
        for language in rung_sources(lab, rung):
            own = submission_of(lab, rung_files(lab, rung, language), language, rung.name)
            yield fingerprinter.of_own(lab, own, rung.kernels)
    for key, known in installed().items():
        paths = [path for path in _files(lab.folder / "starter") if path.suffix == known.suffix]
        if paths:
            yield fingerprinter.of_own(lab, submission_of(lab, paths, key, "starter"), None)


def _files(folder: Path) -> Iterable[Path]:
    return sorted(path for path in folder.glob("*") if path.is_file())
