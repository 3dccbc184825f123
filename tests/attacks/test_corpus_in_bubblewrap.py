"""The attack corpus, graded in the bubblewrap sandbox."""

from grader.config.settings import SandboxChoice
from tests.attacks.contract import CorpusContract


class TestInBubblewrap(CorpusContract):
    """Nothing is gained behind the walls of namespaces."""

    kind = SandboxChoice.BUBBLEWRAP
