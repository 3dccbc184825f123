"""Hostile Numba programs of program labs: nothing that runs in their process decides their answer or their time.

The student's Python runs whole, with whatever it imports and changes. What counts lies outside: inputs, answers, the
device, and the clock.
"""

import json

import pytest

from grader.grading.programs.case_run import CaseRun, judged
from grader.grading.programs.host_work import uncounted_work
from grader.labs.lab import Lab
from grader.model.trace import trace
from grader.model.verdict import Verdict
from tests.grading.numba_double import BODY, SOURCE, ran
from tests.labs.program_lab import FUNCTION, program_lab


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Lab:
    return program_lab(tmp_path_factory.mktemp("function"), FUNCTION)


def verdict(lab: Lab, source: str) -> tuple[Verdict, CaseRun]:
    done, prepared = ran(lab, source)
    return judged(done, prepared, 0.0).verdict, done


LOOKS_AROUND = """
import ctypes, gc, glob, json, socket, subprocess

found = {}

def tries(name, attempt):
    try:
        found[name] = bool(attempt())
    except BaseException:
        found[name] = False

def holds_answer():
    # The answer to the inputs of this call, anywhere in this process.
    want = 2 * np.frombuffer(bytes(seen), np.float32)
    return any(isinstance(each, np.ndarray) and each.shape == want.shape and (each == want).all() and want.any()
               for each in gc.get_objects())

def caller_knows():
    frame = sys._getframe()
    while frame:
        if {"seed", "expected", "oracle", "prepared"} & set(frame.f_locals):
            return True
        frame = frame.f_back

seen = bytearray()

def look(x):
    seen[:] = x.tobytes()
    tries("labs", lambda: [p for p in glob.glob(LAB + "/**", recursive=True) if os.path.isfile(p)])
    tries("bundled labs", lambda: glob.glob(os.path.dirname(sys.modules["grader"].__file__) + "/labs/*"))
    tries("home", lambda: [p for p in glob.glob("/root/.*") + glob.glob("/home/*/*") if os.path.isfile(p)])
    tries("other processes", lambda: [p for p in os.listdir("/proc") if p.isdigit() and int(p) > 1
                                      and b"pytest" in open(f"/proc/{p}/cmdline", "rb").read()])
    tries("environment of others", lambda: b"PYTEST" in open("/proc/1/environ", "rb").read())
    tries("network", lambda: socket.create_connection(("127.0.0.1", 22), 0.2))
    tries("own folder", lambda: open(__file__, "a"))
    tries("packages", lambda: open(np.__file__, "a"))
    tries("raw open", lambda: ctypes.CDLL(None).open(LAB.encode(), 0) >= 0)
    tries("memory of others", lambda: ctypes.CDLL(None).ptrace(16, 1, 0, 0) == 0)
    tries("answer", holds_answer)
    tries("callers", caller_knows)
"""


def test_it_finds_nothing_of_the_judge_and_of_the_machine(lab: Lab) -> None:
    source = SOURCE.replace(
        BODY, "    look(x)\n" + BODY + "    if x.any():\n        print(json.dumps(found), flush=True)\n"
    )
    found, done = verdict(lab, f"LAB = {str(lab.folder)!r}\n" + LOOKS_AROUND + source)
    assert found is Verdict.ACCEPTED, done.result
    tried = json.loads(next(line for line in done.result.printed.splitlines() if line.startswith("{")))
    assert len(tried) >= 10
    assert [name for name, succeeded in tried.items() if succeeded] == []


FORGERIES = {
    "another kernel launcher": """
class Launcher:
    def __getitem__(self, shape):
        return lambda d: d.copy_to_device(2 * d.copy_to_host())
twice = Launcher()
""",
    "the answer of the preparation": """
kept = []
honest = doubled
def doubled(x, y, n):
    if not kept:
        honest(x, y, n)
        kept.append(y.copy())
    honest(np.zeros_like(x), y, n)
    y[:] = kept[0]
""",
    "an answer sent by the program itself": """
import grader.programs.python.call as call
def answered(self, nonce, status, outputs):
    self._socket.sendall(call.ANSWER.pack(bytes(16), 0, 1) + call.SIZE.pack(400) + bytes(400))
for module in (call, sys.modules["__main__"]):
    module._Judge.answer = answered
""",
    "NumPy that says yes": """
np.allclose = np.array_equal = lambda *a, **k: True
def doubled(x, y, n):
    d = cuda.to_device(x)
    twice[1, 1](d)
    y[:] = 0
""",
    "an end before the answer": """
import atexit
atexit.register(os._exit, 0)
def doubled(x, y, n):
    if x.any():
        raise SystemExit(0)
""",
    "a tracer in the place of the function": """
def doubled(x, y, n):
    sys.settrace(lambda *a: None)
    sys.setprofile(lambda *a: None)
    y[:] = 2 * x
""",
    "what no call of the runtime sends": """
def doubled(x, y, n):
    if x.any():
        os.write(int(os.environ["GRADER_CHANNEL"]), b"\\xff" * 512)
""",
}


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda name: name.replace(" ", "-"))
def test_a_forged_answer_is_not_accepted(forgery: str, lab: Lab) -> None:
    found, _ = verdict(lab, SOURCE + FORGERIES[forgery])
    assert found is not Verdict.ACCEPTED


CLOCK = """
import ctypes
honest = doubled
def doubled(x, y, n):
    driver = ctypes.CDLL(os.environ["GRADER_DRIVER"])
    FIRST
    honest(x, y, n)
    LAST
"""


def test_clocks_that_the_program_sets_save_no_time_of_the_device(lab: Lab) -> None:
    _, honest = verdict(lab, SOURCE)
    forged = CLOCK.replace("FIRST", "driver.grader_clock(2)").replace(
        "LAST", "[driver.grader_clock(state) for state in (0, 1, 2)]"
    )
    found, done = verdict(lab, SOURCE + forged)
    assert found is Verdict.ACCEPTED
    assert done.run.launches >= 1
    assert trace(done.run).copied >= trace(honest.run).copied
    device = [each.end - each.start for each in honest.run.activities if each.moved_bytes]
    assert done.run.seconds > sum(device)


def test_work_that_no_clock_of_the_program_counts_is_flagged(lab: Lab) -> None:
    hidden = CLOCK.replace("FIRST", "").replace(
        "LAST", "driver.grader_stop_time(); [x.sum() for _ in range(200_000 if x.any() else 0)]"
    )
    found, done = verdict(lab, SOURCE + hidden)
    assert found is Verdict.ACCEPTED
    assert uncounted_work(done.run, trace(done.run)) is not None
    _, honest = verdict(lab, SOURCE)
    assert uncounted_work(honest.run, trace(honest.run)) is None
