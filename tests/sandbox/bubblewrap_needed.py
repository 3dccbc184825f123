"""A pytest mark for tests that need bubblewrap."""

import pytest

from grader.sandbox.bubblewrap import unavailable

needs_bubblewrap = pytest.mark.skipif((_reason := unavailable()) is not None, reason=str(_reason))
