"""The system calls that a worker may make, as data.

Other calls fail with "operation not permitted", which a program can report; they do not end the worker.
The list has what Python, NumPy, Numba, the compilers and the CUDA driver use on files, memory, threads,
processes and clocks of their own. Deliberately excluded: namespaces and mounts, other processes' memory, kernel
interfaces (keys, BPF, performance counters, modules, asynchronous rings), memory outside the limits (System V
segments, anonymous files), the network, and changes of identity.
"""

import errno
from dataclasses import dataclass

WORD = 0xFFFF_FFFF
"""The kernel reads only the lower 32 bits of every argument that is matched here."""


@dataclass(frozen=True, slots=True)
class Match:
    """Argument number ``argument``, masked with ``mask``, is ``value``."""

    argument: int
    mask: int
    value: int


@dataclass(frozen=True, slots=True)
class Conditional:
    """``call`` is allowed where at least one of ``matches`` holds."""

    call: str
    matches: tuple[Match, ...]


_FILES = """
    access chdir chmod close close_range copy_file_range creat dup dup2 dup3 faccessat faccessat2 fadvise64
    fallocate fchdir fchmod fchmodat fchmodat2 fdatasync fgetxattr flistxattr flock fstat fstatfs fsync
    ftruncate futimesat getcwd getdents getdents64 getxattr inotify_add_watch inotify_init inotify_init1
    inotify_rm_watch lgetxattr link linkat listxattr llistxattr lseek lstat mkdir mkdirat newfstatat open
    openat pipe pipe2 pread64 preadv preadv2 pwrite64 pwritev pwritev2 read readahead readlink readlinkat
    readv rename renameat renameat2 rmdir sendfile splice stat statfs statx symlink symlinkat tee truncate
    umask unlink unlinkat utime utimensat utimes write writev
"""

_MEMORY = """
    brk get_mempolicy madvise membarrier mincore mlock mlock2 mmap mprotect mremap msync munlock munmap
    pkey_alloc pkey_free pkey_mprotect
"""

_PROCESSES = """
    arch_prctl capget execve execveat exit exit_group fork get_robust_list getegid geteuid getgid getgroups getpgid
    getpgrp getpid getppid getpriority getresgid getresuid getrlimit getrusage getsid gettid getuid kill
    pidfd_open pidfd_send_signal prctl prlimit64 restart_syscall rseq sched_get_priority_max sched_get_priority_min
    sched_getaffinity sched_getattr sched_getparam sched_getscheduler sched_rr_get_interval sched_setaffinity
    sched_yield set_robust_list set_tid_address setpgid setpriority setrlimit setsid tgkill tkill vfork wait4 waitid
"""

_SIGNALS_AND_WAITING = """
    epoll_create epoll_create1 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait eventfd eventfd2 futex futex_waitv pause
    poll ppoll pselect6 rt_sigaction rt_sigpending rt_sigprocmask rt_sigqueueinfo rt_sigreturn rt_sigsuspend
    rt_sigtimedwait rt_tgsigqueueinfo select sigaltstack signalfd signalfd4
"""

_CLOCKS = """
    alarm clock_getres clock_gettime clock_nanosleep getitimer gettimeofday nanosleep setitimer time timer_create
    timer_delete timer_getoverrun timer_gettime timer_settime timerfd_create timerfd_gettime timerfd_settime times
"""

_LOCAL_SOCKETS = """
    accept accept4 bind connect getpeername getsockname getsockopt listen recvfrom recvmmsg recvmsg sendmmsg sendmsg
    sendto setsockopt shutdown
"""

_THE_MACHINE = "getcpu getrandom sysinfo uname"

ALLOWED = tuple(
    sorted(
        call
        for group in (
            _FILES,
            _MEMORY,
            _PROCESSES,
            _SIGNALS_AND_WAITING,
            _CLOCKS,
            _LOCAL_SOCKETS,
            _THE_MACHINE,
        )
        for call in group.split()
    )
)
"""Calls that are allowed with any arguments."""

_UNIX = 1
"""AF_UNIX: these sockets reach only files of this machine, of which a worker sees its own."""

_NEW_NAMESPACES = 0x7E02_0000
"""Every CLONE_NEW flag that ``clone`` takes: mounts, control groups, host name, ipc, users, pids, network."""

_TERMINAL_TYPE = 0x5400
"""The type byte of terminal requests. TIOCSTI and TIOCLINUX can inject input for the terminal's owner."""

_TERMINAL_REQUESTS = {
    "TCGETS": 0x5401,
    # A container's first process asks for it, on a standard input that is no terminal.
    "TIOCSPGRP": 0x5410,
    "TIOCGWINSZ": 0x5413,
    "FIONREAD": 0x541B,
    "FIONBIO": 0x5421,
    "FIONCLEX": 0x5450,
    "FIOCLEX": 0x5451,
    "FIOASYNC": 0x5452,
}

_DEVICE_REQUESTS = tuple(Match(1, bit, ~_TERMINAL_TYPE & bit) for bit in (1 << n for n in range(8, 16)))
"""A request of another type, such as the GPU driver's, differs from the terminal's in at least one bit."""

_CLASSIC_FCNTL = 0x1F
"""The commands of POSIX and the older ones of Linux: copies, flags, locks, owners."""

_FCNTL = {"F_NOTIFY": 1026, "F_DUPFD_CLOEXEC": 1030, "F_GETPIPE_SZ": 1032}
"""Newer commands. F_SETPIPE_SZ is not among them: a pipe's buffer is memory of the kernel, which no limit counts."""

CONDITIONAL = (
    Conditional("clone", (Match(0, _NEW_NAMESPACES, 0),)),
    Conditional(
        "fcntl",
        (Match(1, WORD & ~_CLASSIC_FCNTL, 0), *(Match(1, WORD, command) for command in _FCNTL.values())),
    ),
    Conditional(
        "ioctl",
        (*_DEVICE_REQUESTS, *(Match(1, WORD, request) for request in _TERMINAL_REQUESTS.values())),
    ),
    # Only the query and the default personality.
    Conditional("personality", (Match(0, WORD, WORD), Match(0, WORD, 0))),
    Conditional("socket", (Match(0, WORD, _UNIX),)),
    Conditional("socketpair", (Match(0, WORD, _UNIX),)),
)
"""Calls that are allowed for some arguments."""

_FORMAT = 0o170_000
"""The part of a file's mode that says what kind of file it is."""

_PIPE = 0o010_000

LOCAL_SOCKETS = ("socket", "socketpair")
"""Calls that make local sockets. Their buffers are the kernel's memory: only a control group counts them."""

FOR_TOOLS = (
    Conditional("mknod", (Match(1, _FORMAT, _PIPE),)),
    Conditional("mknodat", (Match(2, _FORMAT, _PIPE),)),
)
"""Further calls for NVIDIA's tools, which talk to the profiled program through named pipes. Not for workers."""

REFUSED = errno.EPERM
"""How a call that is not listed fails."""

ABSENT = {"clone3": errno.ENOSYS}
"""Calls that fail as if the kernel were too old: a filter cannot see ``clone3``'s flags, and libc falls back."""

NEWER = errno.ENOSYS
"""How a call newer than this table fails: libc then falls back to an older one."""
