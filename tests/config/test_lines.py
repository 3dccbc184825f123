"""The line of a key is right, whatever stands around it."""

import tomllib
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from grader.config.lines import KeyPath, key_lines

AWKWARD = '''\
# count = 1
title = "[jobs] count = 2"  # count = 3
text = """
[jobs]
count = 4 \\""" still inside
""" # after
raw = \'\'\'count = 5
'' [jobs] \'\'\'\'
"quoted = key" = 'it # is'
owner . "first.name" = 1
list = [ [1, "]"], # ]
  { a = 1, b = [
  2 ] },
]

  [jobs]  # count = 6
  when = 1979-05-27 07:32:00
  count = 7
[limits.inner."x.y"]
z = 0x1F
[[many]]
a = 1
[[many]]
a = 2
[many.deep]
b = 3
[[many.again]]
c = { d = "}", e.f = 1 }
'''


def test_strings_comments_and_nesting_do_not_mislead() -> None:
    tomllib.loads(AWKWARD)
    assert key_lines(AWKWARD) == {
        ("title",): 2,
        ("text",): 3,
        ("raw",): 7,
        ("quoted = key",): 9,
        ("owner",): 10,
        ("owner", "first.name"): 10,
        ("list",): 11,
        ("list", 0): 11,
        ("list", 0, 0): 11,
        ("list", 0, 1): 11,
        ("list", 1): 12,
        ("list", 1, "a"): 12,
        ("list", 1, "b"): 12,
        ("list", 1, "b", 0): 13,
        ("jobs",): 16,
        ("jobs", "when"): 17,
        ("jobs", "count"): 18,
        ("limits",): 19,
        ("limits", "inner"): 19,
        ("limits", "inner", "x.y"): 19,
        ("limits", "inner", "x.y", "z"): 20,
        ("many",): 21,
        ("many", 0): 21,
        ("many", 0, "a"): 22,
        ("many", 1): 23,
        ("many", 1, "a"): 24,
        ("many", 1, "deep"): 25,
        ("many", 1, "deep", "b"): 26,
        ("many", 1, "again"): 27,
        ("many", 1, "again", 0): 27,
        ("many", 1, "again", 0, "c"): 28,
        ("many", 1, "again", 0, "c", "d"): 28,
        ("many", 1, "again", 0, "c", "e"): 28,
        ("many", 1, "again", 0, "c", "e", "f"): 28,
    }


def test_separators_of_other_texts_are_no_line_ends_here() -> None:
    assert key_lines('a = "\u2028\x85"\nb = 1')["b",] == 2


def paths(value: Any, path: KeyPath = ()) -> set[KeyPath]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = {path} if path else set()
    return found.union(*(paths(item, (*path, key)) for key, item in items))


_PIECES = st.sampled_from(
    [
        *"ab.=[]{},#'\"\n\\ 1_-",
        '"""',
        "'''",
        "[a]\n",
        "[[b]]\n",
        "a=1\n",
        'b.a="#"\n',
        'a=["""\n"""]\n',
        "1.5",
        "true",
    ]
)


@given(st.lists(_PIECES, max_size=24).map("".join))
def test_every_key_that_the_parser_finds_has_a_line(text: str) -> None:
    try:
        parsed = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    assert set(key_lines(text)) == paths(parsed)
