"""Grader's own languages, and one of another package, keep the contract."""

from pathlib import Path

import pytest

from grader.languages import LanguageSupport, support
from grader.languages.builtin import CUDA_C, NUMBA
from tests.languages.contract import LanguageContract


class TestCudaC(LanguageContract):
    """The contract for CUDA C."""

    @pytest.fixture
    def language(self) -> LanguageSupport:
        return CUDA_C


class TestNumba(LanguageContract):
    """The contract for Numba."""

    @pytest.fixture
    def language(self) -> LanguageSupport:
        return NUMBA


class TestALanguageOfAnotherPackage(LanguageContract):
    """The contract for the language of the example package."""

    @pytest.fixture
    def language(self, installed_plugin: Path) -> LanguageSupport:
        assert installed_plugin.is_dir()
        return support("shouted-cuda")
