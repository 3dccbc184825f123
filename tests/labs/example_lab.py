"""A small valid lab: its manifest, its class, and a folder of labs with it."""

from pathlib import Path

from grader.labs.registry import Catalogue

GOOD = """
schema_version = 1
name = "scale"
version = "1.0"
title = "Scale"
summary = "y = 2 x"
source = "a test"
baseline = "global"
[[kernels]]
name = "scale"
params = ["const float32 x[n]", "float32 y[n]", "int32 n"]
block = ["64"]
grid = ["ceil(n / block)"]
[[rungs]]
name = "global"
kernels = ["scale"]
summary = "the only one"
[[cases]]
name = "small"
visibility = "public"
use = ["check", "time"]
sizes = { n = 100 }
inputs = "normal"
[tolerance]
factor = 0.0
derivation = "a product by two is exact"
[rubric]
correctness = 80
[[rubric.speed]]
kernel = "scale"
at_least = 0.9
points = 20
"""

LAB = """
import numpy as np
from grader.labs import Arrays, Case, Expected, Lab

class Scale(Lab):
    def inputs(self, case, rng):
        return {"x": rng.standard_normal(case.sizes["n"]).astype(np.float32)}

    def oracle(self, case, inputs):
        return {"y": Expected(2.0 * inputs["x"].astype(np.float64))}
"""


def folder_of_labs(root: Path, *, manifest: str = GOOD, code: str = LAB, name: str = "scale") -> Catalogue:
    """A folder with the lab ``name``, and a source for its rung."""
    lab, reference = root / "labs" / name, root / "reference" / name
    for folder in (lab, reference):
        folder.mkdir(parents=True)
    (lab / "lab.toml").write_text(manifest, encoding="utf-8")
    (lab / "lab.py").write_text(code, encoding="utf-8")
    (reference / "global.cu").write_text("// the rung", encoding="utf-8")
    return Catalogue(labs=root / "labs", reference=root / "reference")
