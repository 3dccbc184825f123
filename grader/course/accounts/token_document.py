"""A token as the document that its owner reads."""

from datetime import datetime

from grader.api import sign_in
from grader.store.account_values import Token


def token_document(token: Token) -> sign_in.Token:
    """``token`` without its secret, which is not stored."""
    return sign_in.Token(
        id=token.id,
        label=token.label,
        scopes=token.scopes,
        created_at=token.created_at.isoformat(),
        expires_at=_iso(token.expires_at),
        last_used_at=_iso(token.seen_at),
    )


def _iso(at: datetime | None) -> str | None:
    return None if at is None else at.isoformat()
