"""The judge's own clock around a measurement: what a worker tells cannot have taken longer than what passed meanwhile.

A worker that runs kernels holds no student's host code, but on some machines a kernel can reach its memory. Whoever
writes long times for the reference there is found out; what is below the device's floor is told by ``judge.floor``.
"""

from grader.model.run import Comparison


def overlong(comparison: Comparison) -> str:
    """Why the times of ``comparison`` cannot be; empty where they can, or where they are modelled.

    No time is told: the timing case may be hidden.
    """
    if comparison.modelled or comparison.took is None:
        return ""
    told = comparison.launches * sum(pair.baseline + pair.submission for pair in comparison.pairs)
    if told <= comparison.took:
        return ""
    return f"its times and the reference's add up to {told / comparison.took:.2f} times what passed meanwhile"
