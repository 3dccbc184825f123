"""The system call filter permits what a worker needs and refuses all else with an error number."""

import errno
import json
import platform
import signal
import subprocess
import sys
from collections.abc import Sequence

import pytest

from grader.sandbox.seccomp import bpf_program, docker_profile
from grader.sandbox.seccomp.numbers import AUDIT_ARCHITECTURES, numbers
from grader.sandbox.seccomp.policy import ABSENT, ALLOWED, CONDITIONAL, LOCAL_SOCKETS
from tests.sandbox.system_calls import library, table

MACHINE = platform.machine()
NOWHERE = -1
NEW_USER_NAMESPACE = 0x1000_0000
X32 = 0x4000_0000
OUTWARD = """
    ptrace process_vm_readv process_vm_writev pidfd_getfd kcmp unshare setns mount umount2 pivot_root
    chroot bpf perf_event_open userfaultfd io_uring_setup io_setup keyctl add_key request_key kexec_load
    init_module reboot swapon memfd_create shmget msgget mq_open setuid setgroups capset open_by_handle_at
    name_to_handle_at fanotify_init syslog settimeofday mknodat seccomp acct quotactl open_tree fsopen
    move_mount
"""

needs_a_filter = pytest.mark.skipif(
    MACHINE not in AUDIT_ARCHITECTURES, reason=f"there is no filter for {MACHINE}"
)


def confined(
    *calls: tuple[str | int, *tuple[int, ...]], refused: Sequence[str] = ()
) -> subprocess.CompletedProcess[str]:
    known = numbers(MACHINE)
    made = [[known[call] if isinstance(call, str) else call, *arguments] for call, *arguments in calls]
    return subprocess.run(
        [sys.executable, "-m", "tests.sandbox.confined", *refused],
        input=json.dumps(made),
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )


def errors(*calls: tuple[str | int, *tuple[int, ...]], refused: Sequence[str] = ()) -> list[int]:
    done = confined(*calls, refused=refused)
    assert done.returncode == 0, done.stderr
    return [int(error) for error in json.loads(done.stdout)]


@needs_a_filter
def test_what_reaches_out_of_the_worker_is_refused_with_an_error() -> None:
    refused = OUTWARD.split()
    results = errors(*((call, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE) for call in refused))
    assert dict(zip(refused, results, strict=True)) == dict.fromkeys(refused, errno.EPERM)


@needs_a_filter
def test_every_call_that_is_not_listed_is_refused_and_none_kills() -> None:
    listed = {*ALLOWED, *ABSENT, *(rule.call for rule in CONDITIONAL)}
    others = sorted(set(numbers(MACHINE)) - listed)
    results = errors(*((call, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE, NOWHERE) for call in others))
    assert dict(zip(others, results, strict=True)) == dict.fromkeys(others, errno.EPERM)


@needs_a_filter
def test_what_a_worker_needs_is_carried_out() -> None:
    assert errors(("getpid",), ("gettid",), ("sched_yield",), ("umask", 0o22), ("dup", 2)) == [0] * 5


@needs_a_filter
def test_new_namespaces_are_refused_also_by_clone() -> None:
    # The stack is invalid and the flags contradict each other: the kernel itself would return another error.
    results = errors(("clone", NEW_USER_NAMESPACE | signal.SIGCHLD, 0), ("clone3", 0, 0), ("clone", 0x800, 0))
    assert results == [errno.EPERM, errno.ENOSYS, errno.EINVAL]


@needs_a_filter
def test_only_local_sockets_are_opened() -> None:
    local, internet, internet6, netlink, packet, vsock = 1, 2, 10, 16, 17, 40
    hidden = internet | 1 << 32
    results = errors(
        *(("socket", family, 1, 0) for family in (local, internet, internet6, netlink, packet, vsock, hidden))
    )
    assert results == [0] + [errno.EPERM] * 6


@needs_a_filter
def test_local_sockets_can_be_refused_as_well() -> None:
    local, stream = 1, 1
    calls: list[tuple[str, int, int, int, int]] = [(call, local, stream, 0, 0) for call in LOCAL_SOCKETS]
    assert errors(*calls, refused=LOCAL_SOCKETS) == [errno.EPERM] * len(LOCAL_SOCKETS)


@needs_a_filter
def test_a_pipe_cannot_be_enlarged() -> None:
    copy, flags, copy_and_close, enlarge, size = 0, 1, 1030, 1031, 1032
    results = errors(
        *(("fcntl", NOWHERE, command, 2**20) for command in (enlarge, enlarge | 1 << 32)),
        *(("fcntl", NOWHERE, command, 0) for command in (copy, flags, copy_and_close, size)),
    )
    assert results == [errno.EPERM] * 2 + [errno.EBADF] * 4


@needs_a_filter
def test_nobody_types_on_the_terminal_of_the_grader() -> None:
    sti, linux, get, geometry, of_the_gpu = 0x5412, 0x541C, 0x5401, 0x5413, 0xC020462A
    results = errors(
        *(("ioctl", NOWHERE, request, 0) for request in (sti, linux, sti | 1 << 32, linux | 1 << 40)),
        *(("ioctl", NOWHERE, request, 0) for request in (get, geometry, of_the_gpu)),
    )
    assert results == [errno.EPERM] * 4 + [errno.EBADF] * 3


@needs_a_filter
def test_the_personality_is_only_asked_for() -> None:
    no_randomised_addresses = 0x004_0000
    assert errors(
        ("personality", 0xFFFF_FFFF), ("personality", 0), ("personality", no_randomised_addresses)
    ) == [
        0,
        0,
        errno.EPERM,
    ]


@needs_a_filter
def test_a_call_newer_than_the_table_looks_absent() -> None:
    assert errors((max(numbers(MACHINE).values()) + 1,)) == [errno.ENOSYS]


@pytest.mark.skipif(MACHINE != "x86_64", reason="only x86-64 has a second set of numbers")
def test_another_calling_convention_ends_the_process() -> None:
    assert confined((X32 | numbers(MACHINE)["getpid"],)).returncode == -signal.SIGSYS


@needs_a_filter
def test_the_filter_survives_into_whatever_is_started() -> None:
    source = (
        "from tests.sandbox.confined import confine\nimport subprocess, threading\nconfine()\n"
        "thread = threading.Thread(target=print, args=('thread',))\nthread.start()\nthread.join()\n"
        "print(subprocess.run(['/bin/sh', '-c', 'unshare -U true'], capture_output=True, text=True).stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", source], capture_output=True, text=True, check=True, timeout=600
    )
    assert "thread" in done.stdout
    assert "Operation not permitted" in done.stdout


@pytest.mark.parametrize("machine", AUDIT_ARCHITECTURES)
def test_every_machine_has_its_own_program(machine: str) -> None:
    program = bpf_program(machine)
    assert len(program) % 8 == 0
    # The kernel accepts at most 4096 instructions.
    assert len(program) // 8 < 4096
    assert AUDIT_ARCHITECTURES[machine].to_bytes(4, "little") in program


def test_the_policy_names_each_existing_call_once() -> None:
    named = [*ALLOWED, *ABSENT, *(rule.call for rule in CONDITIONAL)]
    assert len(named) == len(set(named))
    assert set(named) <= set().union(*(numbers(machine) for machine in AUDIT_ARCHITECTURES))


def test_the_docker_profile_says_the_same() -> None:
    profile = json.loads(docker_profile())
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    allowed = {
        name
        for entry in profile["syscalls"]
        if entry["action"] == "SCMP_ACT_ALLOW" and "args" not in entry
        for name in entry["names"]
    }
    assert allowed == set(ALLOWED)
    clone = [entry for entry in profile["syscalls"] if entry["names"] == ["clone"]]
    assert clone[0]["args"][0] == {
        "index": 0,
        "value": 0x7E02_0000,
        "valueTwo": 0,
        "op": "SCMP_CMP_MASKED_EQ",
    }


def test_the_numbers_are_libseccomps() -> None:
    source = library()
    if source is None:
        pytest.skip("libseccomp is not installed here")
    theirs = table(source)
    for machine in AUDIT_ARCHITECTURES:
        assert {name: theirs.get(name, {}).get(machine) for name in numbers(machine)} == numbers(machine)
