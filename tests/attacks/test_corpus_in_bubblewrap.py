"""The attack corpus, graded in the bubblewrap sandbox."""

from grader.sandbox.builtin import BUBBLEWRAP
from tests.attacks.contract import CorpusContract


class TestInBubblewrap(CorpusContract):
    """No attack gains anything in the namespaces of bubblewrap."""

    kind = BUBBLEWRAP
