"""The key of a submission is stored until the server answered."""

from grader.client.credentials import Login
from grader.client.pending import PendingSubmission

KEPT = "gr_1"
ADA = Login(server="https://a.org", token=KEPT, person="ada")
FILES = {"a.cu": b"1", "b.cu": b"2"}


def test_the_same_files_keep_their_key_until_the_answer() -> None:
    key = PendingSubmission(ADA, "scan", FILES).key()
    again = PendingSubmission(ADA, "scan", dict(reversed(FILES.items())))
    assert again.key() == key
    again.answered()
    again.answered()
    assert PendingSubmission(ADA, "scan", FILES).key() != key


def test_other_work_has_another_key() -> None:
    other = Login(server="https://b.org", token=KEPT, person="ada")
    keys = {
        PendingSubmission(login, lab, files).key()
        for login in (ADA, other)
        for lab in ("scan", "row-sum")
        for files in (FILES, {"a.cu": b"1"}, {"a.cu": b"12", "b.cu": b""})
    }
    assert len(keys) == 12
