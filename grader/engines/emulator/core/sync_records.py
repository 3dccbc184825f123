"""Memory layout of the logs of synchronisations: NumPy dtypes, like those in ``records``."""

import numpy as np

SYNC = np.dtype([("stamp", "i8"), ("pc", "i8"), ("warps", "i8"), ("block", "i8")], align=True)
"""A barrier, ``__syncwarp`` or fence, and the warps that took it, one bit each."""

SYNCS = 64
"""Number of recent synchronisations that a launch logs."""

MAX_RELEASES, MAX_ACQUISITIONS = (1 << 16) - 1, (1 << 17) - 1
"""Number of releases and of acquisitions that a launch logs; 0 is no entry."""

RELEASE = np.dtype(
    [
        ("location", "i8"),  # host address of the shadow word of the address at which it was published
        ("block", "i8"),
        ("warp", "i8"),
        ("scope", "i8"),
        ("stamp", "i8"),
        ("since", "i8"),  # stamp of the block's last barrier
        ("acquired", "i8"),  # last acquisition of the block before it
        ("previous", "i8"),  # the release before it at the same location
        ("search", "i8"),  # number of the last search that reached it
        ("pending", "i8"),  # the next release that this search has to follow
        ("covered", "i8", (32,)),  # by warp of the block: its accesses below this stamp are released
    ],
    align=True,
)
"""A release that a strong write published."""

ACQUISITION = np.dtype(
    [
        ("release", "i8"),  # the last release at the location
        ("block", "i8"),
        ("warp", "i8"),
        ("scope", "i8"),
        ("stamp", "i8"),
        ("next", "i8"),  # the acquisition of the block before it
    ],
    align=True,
)
"""A strong read of a location at which something was published."""
