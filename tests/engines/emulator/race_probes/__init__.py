"""Small kernels with one mistake in the order of their accesses, and their neighbours without it."""

from tests.engines.emulator.race_probes.blocks import ACQUIRES, FLAGS, LAST_BLOCK, SCOPES
from tests.engines.emulator.race_probes.lanes import HALF_WARPS, SHUFFLES, TREES
from tests.engines.emulator.race_probes.words import NARROW, OWN_ATOMIC, UPDATES

PROBES = {
    f"{subject}: {name}": probe
    for subject, probes in {
        "own atomic": OWN_ATOMIC,
        "last block": LAST_BLOCK,
        "update": UPDATES,
        "scope": SCOPES,
        "acquire": ACQUIRES,
        "narrow": NARROW,
        "half a warp": HALF_WARPS,
        "shuffle": SHUFFLES,
        "flag": FLAGS,
        "tree": TREES,
    }.items()
    for name, probe in probes.items()
}
"""All probes by name."""
