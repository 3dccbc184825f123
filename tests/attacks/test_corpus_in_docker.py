"""The attack corpus, graded in the Docker sandbox."""

import pytest

from grader.sandbox.builtin import DOCKER
from tests.attacks.contract import CorpusContract


@pytest.mark.corpus
class TestInDocker(CorpusContract):
    """No attack gains anything in a container."""

    kind = DOCKER
