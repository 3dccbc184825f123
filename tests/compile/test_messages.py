"""Compiler messages as diagnostics."""

import time

from grader.compile.messages import MAX_MESSAGE, clean
from grader.compile.nvrtc_messages import parse_log
from grader.model.diagnostic import Severity
from grader.model.reason import as_written

LOG = """\
a_.cu(3): error: no instance of overloaded function "f" matches the argument list
            argument types are: (int, float)
      f(1, 2.f);
      ^

/opt/toolkit/include/half.h(9): warning #1-D: not the student's
  x
/opt/toolkit/include/half.h(9): catastrophic error: cannot open source file "x.h"
At end of source: error: expected a "}"
b.cuh(2): warning #177-D: variable "x" was declared but never referenced
2 errors detected in the compilation of "a_.cu".
"""


def test_a_log_becomes_messages_with_the_students_names() -> None:
    found = parse_log(LOG, {"a_.cu": "ä.cu", "b.cuh": "sub/b.cuh"}, ("ä.cu", 12))
    assert [(each.severity, each.file, each.line, each.text) for each in found] == [
        (
            Severity.ERROR,
            "ä.cu",
            3,
            'no instance of overloaded function "f" matches the argument list; argument types are: (int, float)',
        ),
        (Severity.ERROR, None, None, 'cannot open source file "x.h"'),
        (Severity.ERROR, "ä.cu", 12, 'expected a "}"'),
        (Severity.WARNING, "sub/b.cuh", 2, 'variable "x" was declared but never referenced'),
    ]


def test_a_compilers_own_words_are_quoted() -> None:
    (message,) = parse_log('a.cu(1): error: expected a ";"', {"a.cu": "a.cu"}, ("a.cu", 1))
    assert message.diagnostic.message == as_written('expected a ";"')


def test_a_message_is_one_printable_line_without_our_folders() -> None:
    assert clean("a\x1b[31m red\nb\tc /opt/x y/lib/z.h") == "a red b c x y/lib/z.h"
    assert clean("\u202ed \ud800 f\u061cu \x07") == r"\u202ed \ud800 f\u061cu \x07"
    assert len(clean("x" * 5000)) == MAX_MESSAGE


def test_a_huge_message_is_cut_before_it_is_cleaned() -> None:
    endless = "/x " * 2**25
    began = time.process_time()
    assert len(clean(endless)) == MAX_MESSAGE
    assert time.process_time() - began < 1
