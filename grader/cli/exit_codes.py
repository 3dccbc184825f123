"""Exit codes by verdict."""

from grader.model.verdict import Verdict

VERDICT_CODES = {
    Verdict.ACCEPTED: 0,
    Verdict.NOT_GRADABLE: 1,
    Verdict.WRONG: 3,
    Verdict.FAILED_TO_BUILD: 4,
    Verdict.CRASHED: 5,
    Verdict.TIMED_OUT: 6,
    Verdict.OVER_THE_LIMIT: 7,
    Verdict.SUSPICIOUS: 8,
}
"""Exit codes of ``check --strict``, ``submit`` and ``status``; 2 is that of a user error."""
