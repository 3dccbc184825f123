"""The conformance suites of the ports about accounts: accounts, sessions and tokens."""

from dataclasses import replace
from datetime import timedelta

from grader.model.signing_in import SignedInBy
from grader.store.account_values import Account, NewSession, NewToken
from grader.store.device_links import DeviceLink
from grader.store.ports import Store
from tests.store.examples import NOON, minutes

ADA = Account(person="ada", role="student", language="ru", created_at=NOON)
KIM = Account(person="kim", role="assistant", name="Kim", email="kim@example.edu", created_at=minutes(1))
LATER = NOON + timedelta(days=1)


def _session(digest: str = "a" * 64, person: str = "ada") -> NewSession:
    return NewSession(
        digest=digest, person=person, signed_in_by=SignedInBy.LINK, agent="a browser", expires_at=LATER
    )


def _token(digest: str = "c" * 64, person: str = "ada") -> NewToken:
    return NewToken(
        digest=digest, person=person, label="laptop", scopes=("submit", "read:own"), expires_at=LATER
    )


def open_account(store: Store) -> None:
    """A row in every table of accounts."""
    store.accounts.put(ADA)
    store.accounts.set_password("ada", "a hash")
    store.accounts.bind("ada", "https://id", "1")
    store.sessions.begin(_session(), NOON)
    store.sessions.add_link("b" * 64, "ada", NOON, LATER)
    store.tokens.add(_token(), NOON)
    store.device_links.add(
        DeviceLink(digest="d" * 64, code="e" * 64, label="laptop", created_at=NOON, expires_at=LATER)
    )
    store.device_links.decide("e" * 64, "ada", NOON, accepted=True)


class AccountsContract:
    """What every ``Accounts`` does."""

    def test_accounts_come_back_as_they_were_put(self, store: Store) -> None:
        for account in (KIM, ADA):
            store.accounts.put(account)
        assert store.accounts.list() == (ADA, KIM)
        assert store.accounts.find("kim") == KIM
        assert store.accounts.find("bob") is None

    def test_an_account_that_is_there_is_not_added_again(self, store: Store) -> None:
        assert store.accounts.add(ADA) == ADA
        assert store.accounts.add(replace(ADA, role="instructor")) == ADA

    def test_a_changed_account_keeps_what_belongs_to_it(self, store: Store) -> None:
        store.accounts.put(ADA)
        store.accounts.set_password("ada", "a hash")
        store.sessions.begin(_session(), NOON)
        store.accounts.put(replace(ADA, role="assistant", created_at=LATER))
        assert store.accounts.find("ada") == replace(ADA, role="assistant")
        assert store.accounts.password("ada") == "a hash"
        assert len(store.sessions.list("ada", NOON)) == 1

    def test_a_disabled_account_ends_its_sessions_links_and_tokens(self, store: Store) -> None:
        store.accounts.put(ADA)
        store.accounts.set_password("ada", "a hash")
        store.sessions.begin(_session(), NOON)
        store.sessions.add_link("b" * 64, "ada", NOON, LATER)
        store.tokens.add(_token(), NOON)
        store.accounts.put(replace(ADA, disabled_at=minutes(1)))
        assert store.sessions.find("a" * 64, NOON) is None
        assert store.sessions.use_link("b" * 64, NOON) is None
        assert store.tokens.find("c" * 64, NOON) is None
        assert store.accounts.password("ada") is None

    def test_a_password_can_be_removed(self, store: Store) -> None:
        store.accounts.put(ADA)
        assert store.accounts.password("ada") is None
        store.accounts.set_password("ada", "a hash")
        store.accounts.set_password("ada", None)
        assert store.accounts.password("ada") is None

    def test_an_identity_is_of_one_person(self, store: Store) -> None:
        for account in (KIM, ADA):
            store.accounts.put(account)
        assert store.accounts.identify("https://id", "1") is None
        assert store.accounts.bind("ada", "https://id", "1")
        assert store.accounts.bind("ada", "https://id", "1")
        assert not store.accounts.bind("kim", "https://id", "1")
        assert store.accounts.identify("https://id", "1") == "ada"
        assert store.accounts.identify("https://other", "1") is None


class SessionsContract:
    """What every ``Sessions`` does."""

    def test_a_link_is_used_once(self, store: Store) -> None:
        store.accounts.put(ADA)
        store.sessions.add_link("b" * 64, "ada", NOON, LATER)
        assert store.sessions.link("b" * 64, NOON) == "ada"
        assert store.sessions.link("b" * 64, NOON) == "ada"
        assert store.sessions.use_link("b" * 64, NOON) == "ada"
        assert store.sessions.use_link("b" * 64, NOON) is None
        assert store.sessions.link("b" * 64, NOON) is None

    def test_an_expired_link_is_no_link(self, store: Store) -> None:
        store.accounts.put(ADA)
        store.sessions.add_link("b" * 64, "ada", NOON, LATER)
        assert store.sessions.use_link("b" * 64, LATER) is None

    def test_a_session_is_found_until_it_expires(self, store: Store) -> None:
        store.accounts.put(ADA)
        session = store.sessions.begin(_session(), NOON)
        assert store.sessions.find("a" * 64, NOON) == (session, ADA)
        assert store.sessions.find("a" * 64, LATER) is None
        assert store.sessions.list("ada", LATER) == ()

    def test_the_last_use_of_a_session_is_kept(self, store: Store) -> None:
        store.accounts.put(ADA)
        session = store.sessions.begin(_session(), NOON)
        store.sessions.seen(session.id, minutes(9))
        assert store.sessions.list("ada", NOON) == (replace(session, seen_at=minutes(9)),)

    def test_sessions_end_one_by_one_or_all_at_once(self, store: Store) -> None:
        for account in (KIM, ADA):
            store.accounts.put(account)
        first = store.sessions.begin(_session(), NOON)
        for digest in ("d" * 64, "e" * 64):
            store.sessions.begin(_session(digest), NOON)
        store.sessions.begin(_session("f" * 64, "kim"), NOON)
        assert store.sessions.end("kim", first.id) == 0
        assert store.sessions.end("ada", first.id) == 1
        assert store.sessions.find("a" * 64, NOON) is None
        assert store.sessions.end("ada") == 2
        assert len(store.sessions.list("kim", NOON)) == 1

    def test_what_expired_can_be_removed(self, store: Store) -> None:
        store.accounts.put(ADA)
        store.sessions.begin(_session(), NOON)
        store.sessions.add_link("b" * 64, "ada", NOON, LATER)
        assert store.sessions.remove_expired(NOON) == 0
        assert store.sessions.remove_expired(LATER + timedelta(days=1)) == 2


class TokensContract:
    """What every ``Tokens`` does."""

    def test_a_token_is_found_until_it_expires(self, store: Store) -> None:
        store.accounts.put(ADA)
        token = store.tokens.add(_token(), NOON)
        assert token.scopes == ("submit", "read:own")
        assert store.tokens.find("c" * 64, NOON) == (token, ADA)
        assert store.tokens.find("c" * 64, LATER) is None

    def test_a_token_without_an_end_stays(self, store: Store) -> None:
        store.accounts.put(ADA)
        token = store.tokens.add(replace(_token(), expires_at=None), NOON)
        store.tokens.seen(token.id, minutes(3))
        assert store.tokens.find("c" * 64, LATER) == (replace(token, seen_at=minutes(3)), ADA)

    def test_only_its_owner_revokes_a_token(self, store: Store) -> None:
        for account in (KIM, ADA):
            store.accounts.put(account)
        token = store.tokens.add(_token(), NOON)
        assert not store.tokens.revoke("kim", token.id)
        assert store.tokens.list("ada") == (token,)
        assert store.tokens.revoke("ada", token.id)
        assert store.tokens.list("ada") == ()
