"""Whether a program computes more itself than it says: in threads or processes, or with a clock that it stopped.

Host code counts with the time that the program's own thread reports with each call. The system says how much all its
processes computed in that time, also for the runtime's own work: its copies, and its part of each call.
"""

from grader.model.program import ProgramRun
from grader.model.reason import Reason, reason
from grader.model.trace import Trace

_FREE_SECONDS, _SECONDS_PER_BYTE, _SECONDS_PER_CALL = 0.05, 5e-9, 5e-5
"""Several times what the runtime takes for its own work."""


def uncounted_work(run: ProgramRun, figures: Trace) -> Reason | None:
    """The reason to distrust the modelled time of ``run``, if there is one."""
    own = _FREE_SECONDS + figures.copied * _SECONDS_PER_BYTE + run.calls * _SECONDS_PER_CALL
    if run.uncounted_seconds <= own:
        return None
    return reason("host-work-uncounted")
