"""The manifest of a small valid lab."""

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
