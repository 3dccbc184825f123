"""A regrade set as the document that programs read."""

from grader.api import decisions
from grader.store.regrades import Regrade


def regrade_document(regrade: Regrade) -> decisions.Regrade:
    """``regrade`` as it is now."""
    return decisions.Regrade(
        id=regrade.id,
        created_at=regrade.created_at.isoformat(),
        who=regrade.who,
        because=regrade.why,
        is_open=regrade.is_open,
        counts={state.value: count for state, count in regrade.counts.items()},
    )
