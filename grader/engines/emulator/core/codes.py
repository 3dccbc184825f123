"""Codes shared by Python and the interpreter: operations, spaces, events and statuses."""

from enum import IntEnum, IntFlag


class Space(IntEnum):
    """Address space of a memory instruction. ``GENERIC`` covers every window."""

    GENERIC = 0
    GLOBAL = 1
    SHARED = 2
    LOCAL = 3
    CONST = 4
    PARAM = 5


class Op(IntEnum):
    """Operations other than row micro-operations; their numbers start above those of ``isa.table``."""

    BRANCH = 1024
    BRANCH_INDEXED = 1025
    CALL = 1026
    RETURN = 1028
    EXIT = 1029
    TRAP = 1030
    LOAD = 1031
    STORE = 1032
    ATOMIC = 1033
    FENCE = 1034
    BARRIER = 1035
    BARRIER_ARRIVE = 1036
    WARP_BARRIER = 1037
    SHUFFLE = 1038
    VOTE = 1039
    MATCH = 1040
    ACTIVE_MASK = 1041
    THREAD_ROW = 1042
    CLOCK = 1043
    SERVICE = 1044
    CALL_INDIRECT = 1045
    GRID_BARRIER = 1046


class Flag(IntEnum):
    """Bits of ``INSTRUCTION.flags``.

    Volatile, relaxed and atomic accesses are *strong*: the memory model lets them meet. ``BLOCK_SCOPE`` limits an
    atomic, a relaxed access or a fence to the threads of its block. The others say where a value comes from or goes to
    (``decode.dataflow``): ``UPDATES`` is a store of a value that was computed from what its address held since the
    last barrier, ``DECIDES`` a volatile load that decides a branch, ``POLLS`` one that decides whether its loop goes
    on, ``UNREAD`` an atomic with an old value that nothing reads, and ``GUESSES`` a load with the result of which a
    compare-and-swap of its address compares.
    """

    VOLATILE = 1
    ATOMIC = 2
    RELAXED = 4
    BLOCK_SCOPE = 8
    UPDATES = 16
    DECIDES = 32
    POLLS = 64
    UNREAD = 128
    GUESSES = 256


STRONG = Flag.VOLATILE | Flag.ATOMIC | Flag.RELAXED
"""Flags of strong accesses."""


class Scope(IntEnum):
    """Threads for which a fence or a strong access works."""

    BLOCK = 0
    DEVICE = 1


class Flow(IntFlag):
    """What the values of a memory instruction become, by the data flow of its program. Bits of ``TRAFFIC.flow``.

    ``STAGED``: a load of global memory from which a store to shared memory takes its value or address. ``DIRECT``: one
    from which a result is made past shared memory. ``STAGES``: a store to shared memory of what came from global
    memory. ``DELIVERS``: a load of shared memory from which a result is made. ``RECEIVES``: a store of such a result
    in global memory.
    """

    NONE = 0
    STAGED = 1
    DIRECT = 2
    STAGES = 4
    DELIVERS = 8
    RECEIVES = 16


class WindowFlag(IntEnum):
    """Bits of ``WINDOW.flags``. ``NARROW``: the shadow has planes for single bytes."""

    READ_ONLY = 1
    UNINITIALISED = 2
    HEAP = 4
    INPUT = 8
    NARROW = 16
    ARENA = 32


class EventKind(IntEnum):
    """Kind of an event."""

    OUT_OF_BOUNDS_READ = 0
    OUT_OF_BOUNDS_WRITE = 1
    NULL_READ = 2
    NULL_WRITE = 3
    MISALIGNED = 4
    UNINITIALISED = 5
    RACE = 6
    WARP_HAZARD = 7
    DIVERGENT_BARRIER = 8
    EXITED_BEFORE_BARRIER = 9
    MISSING_LANES = 10
    READ_ONLY_WRITE = 11
    HEAP_OUT_OF_BOUNDS = 12
    HEAP_FREED = 13
    HEAP_DOUBLE_FREE = 14
    HEAP_BAD_FREE = 15
    HEAP_EXHAUSTED = 16
    INPUT_WRITE = 17
    SAME_VALUE = 18
    NO_TEXTURE = 19
    UNDEFINED_VALUE = 20
    OUTSIDE_MASK = 21
    SURFACE_BOUNDS = 22
    SURFACE_MISALIGNED = 23


DECISIVE = frozenset(
    {
        EventKind.OUT_OF_BOUNDS_READ,
        EventKind.OUT_OF_BOUNDS_WRITE,
        EventKind.NULL_READ,
        EventKind.NULL_WRITE,
        EventKind.NO_TEXTURE,
        EventKind.SURFACE_BOUNDS,
        EventKind.SURFACE_MISALIGNED,
        EventKind.MISALIGNED,
        EventKind.READ_ONLY_WRITE,
        EventKind.HEAP_OUT_OF_BOUNDS,
        EventKind.HEAP_FREED,
        EventKind.HEAP_DOUBLE_FREE,
        EventKind.HEAP_BAD_FREE,
        EventKind.RACE,
    }
)
"""Event kinds that decide the verdict by a single event. The event table reserves room for them."""


class Status(IntEnum):
    """Status with which the interpreter returned."""

    DONE = 0
    PAUSED = 1
    TRAPPED = 2
    DEADLOCK = 3
    STACK_OVERFLOW = 4
    BAD_JUMP = 5
    SERVICE = 6
    NEEDS_ROOM = 7
    ENDLESS_LOOP = 8
    ENDLESS_WAIT = 9


class Wait(IntEnum):
    """Whether a resident block can continue."""

    EMPTY = 0
    READY = 1
    MEMORY = 2
    GRID = 3
