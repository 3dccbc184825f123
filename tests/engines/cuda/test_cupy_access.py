"""Without CuPy or a GPU, the cuda engine says what is missing and what to do."""

import sys

import pytest

from grader.engines.cuda.engine import CudaEngine
from grader.errors import UserError


def test_without_cupy_the_mend_is_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", None)
    with pytest.raises(UserError) as caught:
        CudaEngine()
    assert "needs CuPy" in caught.value.problem
    assert 'pip install --constraint constraints.txt ".[gpu-cuda13]"' in str(caught.value.hint)
