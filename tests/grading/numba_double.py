"""A program in Numba for the small lab of ``tests.labs.program_lab``, and single runs of variants of it."""

from grader.config.settings import LimitSettings
from grader.grading.cases import PreparedCase, prepare
from grader.grading.environment import GradingEnvironment
from grader.grading.programs.case_run import CaseRun, Program, run_case
from grader.grading.programs.facts import build_program
from grader.grading.programs.sandbox import ProgramSandbox
from grader.labs.lab import Lab
from grader.model.run import EngineKind
from grader.model.submission import Language, SourceFile, Submission
from grader.sandbox.process import ProcessSandbox

BODY = """
    d = cuda.to_device(x)
    twice[(n + 63) // 64, 64](d)
    d.copy_to_host(y)
"""

SOURCE = f"""
import os, sys
import numpy as np
from numba import cuda

@cuda.jit
def twice(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2

def doubled(x, y, n):
{BODY}
"""


def submission(lab: Lab, source: str, name: str = "program.py") -> Submission:
    """``source`` as a student's work."""
    files = (SourceFile(name=name, data=source.encode()),)
    return Submission(student="ada", lab=lab.name, language=Language.NUMBA, files=files, path=name)


def program(lab: Lab, source: str) -> Program:
    """``source``, built. Raises: ``CompileError``."""
    with ProcessSandbox() as sandbox:
        environment = GradingEnvironment.open(
            sandbox, EngineKind.EMULATOR, "H200", LimitSettings(run_seconds=60.0), modelled_counts=False
        )
        return build_program(lab, submission(lab, source), ProgramSandbox.of(environment))


def ran(lab: Lab, source: str, case: int = 0) -> tuple[CaseRun, PreparedCase]:
    """One run on a case of the lab."""
    prepared = prepare(lab, lab.manifest.cases[case], 7)
    return run_case(program(lab, source), prepared, 60.0), prepared
