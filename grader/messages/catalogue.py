"""The catalogue: every statement by its code. Each table has the statements of one room or stage."""

from grader.messages.english.advice import ADVICE
from grader.messages.english.archives import ARCHIVES
from grader.messages.english.arrays import ARRAYS
from grader.messages.english.attempts import ATTEMPTS
from grader.messages.english.client import CLIENT
from grader.messages.english.commands import COMMANDS
from grader.messages.english.common import COMMON
from grader.messages.english.compile import COMPILE
from grader.messages.english.course import COURSE
from grader.messages.english.decisions import DECISIONS
from grader.messages.english.exports import EXPORTS
from grader.messages.english.figures import FIGURES
from grader.messages.english.findings import FINDINGS
from grader.messages.english.geometry import GEOMETRY
from grader.messages.english.grading import GRADING
from grader.messages.english.host_code import HOST_CODE
from grader.messages.english.intake import INTAKE
from grader.messages.english.judge import JUDGE
from grader.messages.english.names import NAMES
from grader.messages.english.numba_programs import NUMBA_PROGRAMS
from grader.messages.english.observation import OBSERVATION
from grader.messages.english.pages import PAGES
from grader.messages.english.parameters import PARAMETERS
from grader.messages.english.performance import PERFORMANCE
from grader.messages.english.portal_api import PORTAL_API
from grader.messages.english.portal_lti import PORTAL_LTI
from grader.messages.english.portal_site import PORTAL_SITE
from grader.messages.english.portal_staff import PORTAL_STAFF
from grader.messages.english.portal_student import PORTAL_STUDENT
from grader.messages.english.program_labs import PROGRAM_LABS
from grader.messages.english.program_streams import PROGRAM_STREAMS
from grader.messages.english.programs import PROGRAMS
from grader.messages.english.python import PYTHON
from grader.messages.english.queue import QUEUE
from grader.messages.english.receiving import RECEIVING
from grader.messages.english.report import REPORT
from grader.messages.english.rules import RULES
from grader.messages.english.runs import RUNS
from grader.messages.english.runtime import RUNTIME
from grader.messages.english.sandbox import SANDBOX
from grader.messages.english.similarity import SIMILARITY
from grader.messages.english.submitting import SUBMITTING
from grader.messages.english.timed_programs import TIMED_PROGRAMS
from grader.messages.message import Message
from grader.model.calibration import Judgement
from grader.model.diagnostic import DiagnosticKind, Severity
from grader.model.report import SpeedupKind
from grader.model.run import EngineKind
from grader.model.verdict import Verdict

TABLES: dict[str, dict[str, Message]] = {
    "common": COMMON,
    "grading": GRADING,
    "judge": JUDGE,
    "report": REPORT,
    "sandbox": SANDBOX,
    "observation": OBSERVATION,
    "pages": PAGES,
    "compile": COMPILE,
    "python": PYTHON,
    "parameters": PARAMETERS,
    "course": COURSE,
    "exports": EXPORTS,
    "queue": QUEUE,
    "portal_lti": PORTAL_LTI,
    "rules": RULES,
    "decisions": DECISIONS,
    "geometry": GEOMETRY,
    "host_code": HOST_CODE,
    "intake": INTAKE,
    "names": NAMES,
    "findings": FINDINGS,
    "advice": ADVICE,
    "performance": PERFORMANCE,
    "runs": RUNS,
    "programs": PROGRAMS,
    "timed_programs": TIMED_PROGRAMS,
    "program_streams": PROGRAM_STREAMS,
    "numba_programs": NUMBA_PROGRAMS,
    "arrays": ARRAYS,
    "runtime": RUNTIME,
    "program_labs": PROGRAM_LABS,
    "figures": FIGURES,
    "commands": COMMANDS,
    "archives": ARCHIVES,
    "receiving": RECEIVING,
    "similarity": SIMILARITY,
    "submitting": SUBMITTING,
    "attempts": ATTEMPTS,
    "client": CLIENT,
    "portal_site": PORTAL_SITE,
    "portal_student": PORTAL_STUDENT,
    "portal_api": PORTAL_API,
    "portal_staff": PORTAL_STAFF,
}
"""The tables by name, which is also the name of their translations (``locale/*/LC_MESSAGES``)."""


def _joined() -> dict[str, Message]:
    joined: dict[str, Message] = {}
    for table in TABLES.values():
        if repeated := joined.keys() & table.keys():
            msg = f"two tables have {', '.join(sorted(repeated))}"
            raise ValueError(msg)
        joined |= table
    return joined


CATALOGUE: dict[str, Message] = _joined()
"""Message by code."""

SAID_BY_BUILDS = frozenset().union(
    COMPILE, HOST_CODE, PARAMETERS, PYTHON, {"as-written", "at-location", "code-location", "more-items"}
)
"""The codes that a build may use; a compiler that student code took over may forge what a build says."""

_OTHER_WORDS = (
    *("threads", "blocks", "registers", "shared memory", "compute", "memory"),
    *("host to host", "host to device", "device to host", "device to device", "source", "target"),
    *("up", "down", "same points", "new", "gone"),
    *("times cleared", "flag confirmed", "public", "hidden", "operations"),
    *("inputs", "outputs"),
    *("student", "assistant", "instructor", "observer"),
)

WORDS = (
    *(
        str(word)
        for words in (Verdict, Severity, DiagnosticKind, SpeedupKind, EngineKind, Judgement)
        for word in words
    ),
    *_OTHER_WORDS,
)
"""Single words that ``{name:word}`` translates; their gettext context is ``word:`` and the word."""
