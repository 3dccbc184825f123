"""Copies from an offset and with a stride: inputs, what is launched, and the trusted copies."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab, draw
from grader.model.kernel import KernelSpec
from grader.model.plan import LaunchPlan, LaunchShape


class CopyStride(Lab):
    """``x`` is just long enough for both kernels, so that whatever reads beyond its last element is caught."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw ``x``."""
        return {"x": draw(case.inputs, (_length(case.sizes),), rng)}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """Pick the same numbers out of ``x``."""
        n, offset, stride = (case.sizes[name] for name in ("n", "offset", "stride"))
        x = inputs["x"]
        return {
            "shifted": Expected(value=x[offset : offset + n]),
            "gathered": Expected(value=x[: (n - 1) * stride + 1 : stride]),
        }

    def plan(self, kernel: KernelSpec, case: Case, shape: LaunchShape) -> LaunchPlan:
        """Launch once, as by default, with an ``x`` that is longer than the ``n`` elements that are copied."""
        plan = super().plan(kernel, case, shape)
        buffers = (
            replace(buffer, shape=(_length(case.sizes),)) if buffer.name == "x" else buffer
            for buffer in plan.buffers
        )
        return replace(plan, buffers=tuple(buffers))


def _length(sizes: Mapping[str, int]) -> int:
    """How far the kernel that reaches further does reach."""
    return max(sizes["n"] + sizes["offset"], (sizes["n"] - 1) * sizes["stride"] + 1)
