"""The attack corpus, graded in the Docker sandbox."""

import pytest

from grader.config.settings import SandboxChoice
from tests.attacks.contract import CorpusContract


@pytest.mark.corpus
class TestInDocker(CorpusContract):
    """No attack gains anything in a container."""

    kind = SandboxChoice.DOCKER
