"""The option ``--only``: a list of states."""

from grader.course.select import Only
from grader.errors import UserError


def states(only: str) -> frozenset[Only]:
    """The states that ``only`` lists. Raises: ``UserError`` for another word."""
    try:
        return frozenset(Only(word.strip()) for word in only.split(","))
    except ValueError:
        msg = f"--only {only!r} is not a list of states."
        raise UserError(msg, hint=f"Use {', '.join(Only)}, with commas between several.") from None
