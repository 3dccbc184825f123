"""The attack corpus, graded in the Docker sandbox."""

import pytest

from grader.config.settings import SandboxChoice
from tests.attacks.contract import CorpusContract


@pytest.mark.corpus
class TestInDocker(CorpusContract):
    """Nothing is gained behind the walls of a container."""

    kind = SandboxChoice.DOCKER
