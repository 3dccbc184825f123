"""The policy as a classic BPF program, which the kernel runs at every system call of a worker."""

import platform
import struct
from collections.abc import Collection, Iterator, Sequence

from grader.sandbox.seccomp.numbers import AUDIT_ARCHITECTURES, numbers
from grader.sandbox.seccomp.policy import ABSENT, ALLOWED, CONDITIONAL, NEWER, REFUSED, Conditional

# Operations, as <linux/bpf_common.h> composes them.
_LOAD = 0x20
_AND = 0x54
_IF_EQUAL = 0x15
_IF_ABOVE = 0x25
_RETURN = 0x06

# What a program returns, from <linux/seccomp.h>.
_ALLOW = 0x7FFF_0000
_FAIL = 0x0005_0000
_KILL_PROCESS = 0x8000_0000

# Offsets in `struct seccomp_data`, a program's input.
_NUMBER = 0
_ARCHITECTURE = 4
_ARGUMENTS = 16
_ARGUMENT_BYTES = 8

_X32 = 0x4000_0000
"""Set in call numbers of x86-64's second calling convention (x32), which would be matched to wrong names."""

_Instruction = tuple[int, int, int, int]
"""Operation, instructions to skip when true, when false, and the operand."""


def bpf_program(
    machine: str = "", *, refused: Collection[str] = (), further: Sequence[Conditional] = ()
) -> bytes:
    """The filter for ``machine`` (this one, unless named), as the kernel and ``bwrap --seccomp`` read it.

    ``refused`` calls are removed from the policy, ``further`` rules are added to it. A call by another calling
    convention than the machine's own kills the process. Raises: ``KeyError`` for a machine other than
    x86_64 and aarch64.
    """
    program = _program(machine or platform.machine(), refused, (*CONDITIONAL, *further))
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def _program(
    machine: str, refused: Collection[str], conditional: Sequence[Conditional]
) -> Iterator[_Instruction]:
    known = numbers(machine)
    yield _load(_ARCHITECTURE)
    yield from _unless_equal(AUDIT_ARCHITECTURES[machine], [_return(_KILL_PROCESS)])
    yield _load(_NUMBER)
    yield from _if_above(_X32 - 1, [_return(_KILL_PROCESS)])
    yield from _if_above(max(known.values()), [_return(_FAIL | NEWER)])
    for call in ALLOWED:
        if call in known and call not in refused:
            yield from _if_equal(known[call], [_return(_ALLOW)])
    for call, error in ABSENT.items():
        yield from _if_equal(known[call], [_return(_FAIL | error)])
    for rule in conditional:
        if rule.call in known and rule.call not in refused:
            yield from _if_equal(known[rule.call], list(_conditional(rule)))
    yield _return(_FAIL | REFUSED)


def _conditional(rule: Conditional) -> Iterator[_Instruction]:
    for match in rule.matches:
        # The lower half comes first: both machines are little-endian.
        yield _load(_ARGUMENTS + _ARGUMENT_BYTES * match.argument)
        yield (_AND, 0, 0, match.mask)
        yield from _if_equal(match.value, [_return(_ALLOW)])
    yield _return(_FAIL | REFUSED)


def _load(offset: int) -> _Instruction:
    return (_LOAD, 0, 0, offset)


def _return(action: int) -> _Instruction:
    return (_RETURN, 0, 0, action)


def _if_equal(value: int, then: list[_Instruction]) -> list[_Instruction]:
    return [(_IF_EQUAL, 0, len(then), value), *then]


def _unless_equal(value: int, then: list[_Instruction]) -> list[_Instruction]:
    return [(_IF_EQUAL, len(then), 0, value), *then]


def _if_above(value: int, then: list[_Instruction]) -> list[_Instruction]:
    return [(_IF_ABOVE, 0, len(then), value), *then]
