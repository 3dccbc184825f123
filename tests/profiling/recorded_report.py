"""A report that Nsight Compute recorded on an H200.

It has the rung ``shared_conflict`` of transpose at 512 x 512, its ``global`` in Numba, ``shared`` of matmul and
``expert`` of reduction, which takes two launches.
"""

from tools.paths import CHECKOUT

REPORT = CHECKOUT / "tests" / "profiling" / "recorded" / "four-works.ncu-rep"

LAUNCHES = [1, 1, 1, 2]
