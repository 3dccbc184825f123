"""How many submissions fail each case of a lab."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from grader.model.report import Report
from grader.model.verdict import Verdict


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDifficulty:
    """A case of a kernel: how many of ``ran`` submissions that ran it ``failed``."""

    kernel: str
    case: str
    failed: int
    ran: int

    @property
    def share(self) -> float:
        """The part that failed."""
        return self.failed / self.ran


def case_difficulties(reports: Iterable[Report]) -> tuple[CaseDifficulty, ...]:
    """Every case that a submission ran, the hardest first. What the grader could not judge counts as not run."""
    outcomes: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for report in reports:
        for kernel in report.kernels:
            for case in kernel.cases:
                if case.verdict is not Verdict.NOT_GRADABLE:
                    outcomes[kernel.name, case.name].append(not case.verdict.earns_correctness)
    found = (
        CaseDifficulty(kernel=kernel, case=case, failed=sum(failed), ran=len(failed))
        for (kernel, case), failed in outcomes.items()
    )
    return tuple(sorted(found, key=lambda each: (-each.share, -each.failed, each.kernel, each.case)))
