"""How alike the submissions to a lab are: evidence for a person to look at, and no verdict."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from grader.model.reason import Reason
from grader.model.submission import Language

OUTLYING = 3.5
"""Robust standard deviations above the median from which a value is an outlier (Iglewicz and Hoaglin, 1993)."""

BINS = 20
"""Bins of a distribution of similarities from 0 to 1; the last one includes 1."""


class View(StrEnum):
    """What of two submissions is compared.

    ``tokens``: their source, without comments and layout. ``ptx``: the instructions that a compiler made of them.
    ``operations``: of these only memory accesses, arithmetic on numbers with a fraction, and synchronization, which the
    compilers of two languages write alike. Submissions in one language are compared by the first two, submissions in
    two languages by the last.
    """

    TOKENS = "tokens"
    PTX = "ptx"
    OPERATIONS = "operations"

    @property
    def across_languages(self) -> bool:
        """Whether it compares submissions in different languages, and only these."""
        return self is View.OPERATIONS


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """The hash of a run of tokens or instructions, and the lines it comes from: file names and 1-based numbers."""

    hash: int
    lines: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Fingerprints:
    """The fingerprints of one submission by view; ``missing`` says why a view has none."""

    views: Mapping[View, tuple[Fingerprint, ...]] = field(default_factory=dict)
    missing: Mapping[View, Reason] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ComparedWork:
    """One submission that is compared. ``term`` names the former term it comes from; it is empty for the class.

    ``digest`` is that of its content, ``path`` its origin, for messages.
    """

    student: str
    term: str = ""
    language: Language
    path: str
    digest: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """Lines of one file of a submission, 1-based and ascending."""

    file: str
    lines: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """Where two submissions match: ``runs`` consecutive fingerprints that both have.

    ``others``: how many other submissions have the least common of these fingerprints.
    """

    view: View
    first: tuple[Lines, ...]
    second: tuple[Lines, ...]
    runs: int
    others: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """How alike two submissions are in one view.

    ``similarity`` is 0 to 1, with rare fingerprints weighing more than common ones. ``shared`` fingerprints are
    ``first_share`` and ``second_share`` of all fingerprints of either. ``rank`` is the pair's place in the view, 1 for
    the most alike. ``deviation`` is how far it lies above the median, in robust standard deviations.
    """

    view: View
    similarity: float
    shared: int
    first_share: float
    second_share: float
    rank: int
    deviation: float

    @property
    def is_outlying(self) -> bool:
        """Whether the pair stands out from the class."""
        return self.deviation >= OUTLYING


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarPair:
    """Two submissions, their measures, and where they match. ``second`` may be of a former term."""

    first: ComparedWork
    second: ComparedWork
    measures: tuple[Measure, ...]
    passages: tuple[Passage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityDistribution:
    """The similarities of all pairs of the class in one view and language; ``None`` across languages.

    ``counts`` has ``BINS`` bins. ``spread`` is a robust standard deviation: 1.4826 times the median absolute
    deviation, and never less than a fiftieth.
    """

    view: View
    language: Language | None
    pairs: int
    median: float
    spread: float
    counts: tuple[int, ...]

    @property
    def outlying(self) -> float:
        """The similarity from which a pair stands out; it may exceed 1."""
        return self.median + OUTLYING * self.spread


@dataclass(frozen=True, slots=True, kw_only=True)
class Uncompared:
    """A submission without a view, and why."""

    work: ComparedWork
    view: View
    reason: Reason


@dataclass(frozen=True, slots=True, kw_only=True)
class SimilarityReport:
    """The comparison of all submissions to a lab. ``works`` are of the class, ``background`` of former terms.

    ``pairs`` are those listed, the one that stands out most first.
    """

    lab: str
    works: int
    background: int
    distributions: tuple[SimilarityDistribution, ...]
    pairs: tuple[SimilarPair, ...]
    uncompared: tuple[Uncompared, ...]
