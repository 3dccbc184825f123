"""Memory layout of what Python prepares and the interpreter works on: C structures as NumPy dtypes.

Addresses inside these records are host addresses (``int64``) of arrays that ``launch`` and ``memory_map``
keep alive; ``addresses`` has the virtual ones, as device code sees them.
"""

import numpy as np

from grader.engines.emulator.core.codes import DECISIVE, EventKind

INSTRUCTION = np.dtype(
    [
        ("op", "i4"),
        ("guard", "i4"),  # frame offset of the guard predicate; -1: none
        ("guard_not", "i4"),
        ("d", "i4"),
        ("a", "i4"),
        ("b", "i4"),
        ("c", "i4"),
        ("target", "i4"),  # branch or call target; for vectors the first entry in the operand list
        ("imm", "i8"),
        ("space", "i2"),
        ("width", "i2"),  # bytes of one element in memory
        ("count", "i2"),  # elements of a vector access
        ("signed", "i2"),
        ("cell", "i2"),  # bytes of one lane of the data register
        ("flags", "i2"),
        ("function", "i2"),  # which atomic, comparison or mode
        ("address_bits", "i2"),
    ],
    align=True,
)
"""One decoded micro-operation."""

EVENT = np.dtype(
    [
        ("kind", "i4"),
        ("pc", "i4"),
        ("other_pc", "i4"),
        ("space", "i4"),
        ("between_pc", "i4"),  # synchronisation between a pair that does not order it; -1: none
        ("before_pc", "i4"),  # last barrier of the block before the pair; -1: none
        ("between_warps", "i8"),
        ("count", "i8"),
        ("window", "i8"),
        ("address", "i8"),
        ("lowest", "i8"),  # lowest and highest address of all occurrences
        ("highest", "i8"),
        ("thread", "i8"),
        ("block", "i8"),
        ("other_thread", "i8"),
        ("other_block", "i8"),
        ("detail", "i8"),  # depends on the kind
    ],
    align=True,
)
"""An event for the diagnosis: the first occurrence and the number of occurrences."""

WINDOW = np.dtype(
    [
        ("origin", "i8"),  # virtual address of the first byte
        ("size", "i8"),  # bytes; 0: unmapped
        ("host", "i8"),  # host address of the first byte
        ("shadow", "i8"),  # host address of the shadow; 0: accesses are not tracked
        ("flags", "i8"),
    ],
    align=True,
)
"""A mapped range of virtual memory."""

PARTIAL_SYNCS = 8
"""Number of recent ``__syncwarp``s of some lanes that a warp keeps; older ones count as one of all lanes."""

HITS = np.dtype([("warps", "i8"), ("lanes", "i8")], align=True)
"""Changes of the number of executions and of active lanes at an instruction."""

SOURCES = 8
"""Number of loads for shared memory of each lane that a warp remembers; a power of two."""

WARP_STATE = np.dtype(
    [
        ("live", "i8"),  # lanes that have not exited
        ("waiting", "i8"),  # lanes at a block barrier
        ("at_warp_sync", "i8"),  # lanes that wait for absent lanes at a warp-level operation
        ("ignores_absent", "i8"),  # 1: run these lanes although others are absent
        ("rotation", "i8"),  # start of lane selection; it changes so that no path starves
        ("since", "i8"),  # stamp of the warp's last synchronisation
        ("partial_stamps", "i8", (PARTIAL_SYNCS,)),  # its last synchronisations of some lanes,
        ("partial_lanes", "i8", (PARTIAL_SYNCS,)),  # and those lanes
        ("partial_syncs", "i8"),  # their number
        ("fenced", "i8", (2,)),  # by ``Scope``: stamp of its last memory fence
        ("fence_since", "i8", (2,)),  # stamp of the block's last barrier before that fence
        ("fenced_before", "i8", (2,)),  # stamp of its last fence before the block's last barrier
        ("tainted", "i8"),  # 1: a register has an undefined value
        ("taint_pc", "i8"),  # the shuffle that read the first undefined value (-1: none),
        ("taint_reader", "i8"),  # the lane that read it,
        ("taint_source", "i8"),  # the lane that did not take part,
        ("taint_exited", "i8"),  # and whether that lane had exited
        ("arrived", "i8"),  # stamp of its last arrival at a barrier for which it did not wait
        ("seen", "i8", (32,)),  # by other warp: its accesses below this stamp come first
        ("steps", "i8"),  # micro-operations executed
        ("turns", "i8"),  # turns that ended in the middle of the code
        ("checked_until", "i8"),  # turn up to which states are compared
        ("anchor", "i8"),  # fingerprint of an earlier state
        ("anchor_version", "i8"),  # memory version of that state; 0: none
        ("anchor_age", "i8"),  # turns since that state
        ("anchor_span", "i8"),  # turns after which a later state replaces it
        ("reads", "i8"),  # reads since then of memory that others can write
        ("read_pc", "i4"),  # micro-operation of the last such read
        ("read_shared", "i4"),  # 1: it read shared memory
        ("read_lanes", "i8"),
        ("read_bytes", "i8"),  # bytes that each lane read
        ("read_contents", "i8"),  # fingerprint of what it read
        ("read_hosts", "i8", (32,)),  # host addresses that it read
        ("livelock_version", "i8"),  # memory version in which the warp repeats itself forever; 0: none
        ("pcs", "i4", (32,)),
        ("frames", "i4", (32,)),
        ("staged", "i8", (32,)),  # bytes that each lane has loaded from global memory for shared memory
        ("fetches", "i4", (32,)),  # number of these loads
        ("kept", "i4", (32,)),  # number of stores of such values to shared memory
        ("sources", "i4", (SOURCES * 32,)),  # by load and lane: sectors of the last loads, without upper bits
        ("receivers", "i8"),  # lanes that stored in global memory what is made of shared memory
        ("barrier", "i4", (32,)),
        ("diverged_at", "i4", (32,)),  # branch at which each lane last diverged; -1: none
    ],
    align=True,
)
"""State of a warp between two turns."""

BARRIERS = 16
"""Number of named barriers of a block."""

GRID_BARRIER = BARRIERS
"""Pseudo barrier number of the grid barrier."""

_RESIDENT_FIELDS: list[tuple[str, str] | tuple[str, str, tuple[int]]] = [
    ("block", "i8"),  # linear index in the grid
    ("wait", "i8"),  # a ``Wait``
    ("waits_at", "i8"),  # memory version in which it could not continue
    ("turn", "i8"),  # index of the next warp in the order of warps
    ("live", "i8"),
    ("most_steps", "i8"),  # most steps of one of its warps
    ("exited", "i8"),
    ("first_exited", "i8"),
    ("first_exit_pc", "i8"),  # the branch that led to the exit; -1: unknown
    ("since", "i8"),
    ("fenced", "i8", (2,)),  # by ``Scope``: stamp of the last fence of one of its warps
    ("released_before", "i8", (2,)),  # accesses below this stamp were released before the last barrier
    ("acquired", "i8"),  # its last acquisition
    ("block_stamp", "i8"),
    ("grid_lanes", "i8"),  # threads at the grid barrier
    ("barrier_lanes", "i8", (BARRIERS,)),
    ("barrier_sum", "i8", (BARRIERS,)),
    ("barrier_wanted", "i8", (BARRIERS,)),
    ("barrier_warps", "i8", (BARRIERS,)),  # warps that have arrived
    ("states", "i8"),  # host address of the warps' states
    ("frames", "i8"),
    ("local", "i8"),
    ("local_init_stamps", "i8"),  # by word of local memory the stamp of the block that wrote it
    ("shared", "i8"),
    ("shared_shadow", "i8"),
    (
        "taints",
        "i8",
    ),  # for every row of the frames the lanes that have an undefined value there, and its origin
    ("shared_writers", "i8"),  # for every four bytes of shared memory the store that wrote them; 0: none
    (
        "shared_sources",
        "i8",
    ),  # and the sector of global memory of which the value is made, without upper bits
]

RESIDENT = np.dtype(_RESIDENT_FIELDS, align=True)
"""A resident block. The context holds a copy of the one that has the turn."""

CONTEXT = np.dtype(
    [
        # launch
        ("blocks", "i8"),
        ("grid_x", "i8"),
        ("grid_y", "i8"),
        ("block_threads", "i8"),
        ("warps", "i8"),
        ("sm_count", "i8"),  # multiprocessors of the imitated device
        ("sm_stride", "i8"),  # block n is on multiprocessor ``n * stride % count``
        ("blocks_per_sm", "i8"),
        ("clock_start", "i8"),  # value of the cycle counter when the launch starts
        ("timer_start", "i8"),  # the same of the timer, in nanoseconds
        # program and memory
        ("entry", "i8"),
        ("code", "i8"),
        ("operands", "i8"),
        ("constants", "i8"),
        ("block_rows", "i8"),  # offset in the constants of the rows that depend on the block
        ("thread_rows", "i8"),
        ("thread_row_bytes", "i8"),
        ("frame_bytes", "i8"),
        ("local_bytes", "i8"),
        ("shared_bytes", "i8"),
        ("shared_owner", "i8"),
        ("poison", "i8"),  # 32-bit content of unwritten shared memory
        ("windows", "i8"),
        ("scratch", "i8"),
        ("delta", "i8"),  # current access: host minus virtual address
        ("shadow_origin", "i8"),  # current access: virtual address where the shadow starts
        # diagnosis
        ("diagnose", "i8"),
        ("events", "i8"),
        ("event_count", "i8"),
        ("event_threads", "i8"),  # for each event, one bit for each thread of the grid
        ("event_threads_bytes", "i8"),
        ("traffic", "i8"),
        ("loaders", "i8"),  # staged bytes over the most of one thread, summed over all blocks
        ("receivers", "i8"),  # threads, summed over all blocks
        (
            "gathered",
            "i8",
        ),  # sectors of which the values are made that lanes read in shared memory of other threads, for each lane
        ("gathers", "i8"),  # number of such reads
        ("gathered_last", "i8"),  # the last such read of each sector, by a hash of the sector
        ("atomic_words", "i8"),  # atomics on global memory by word; see ``traffic_records.ATOMIC_WORDS``
        ("samples", "i8"),
        ("sample_count", "i8"),
        ("syncs", "i8"),
        ("sync_count", "i8"),
        ("hits", "i8"),
        ("turn_stamps", "i8"),  # start stamp of each turn
        ("turn_blocks", "i8"),  # block of each turn
        ("turn_count", "i8"),
        ("turn_capacity", "i8"),
        ("narrow_shared", "i8"),  # 1: the shadow of shared memory has planes for single bytes
        ("releases", "i8"),
        ("release_count", "i8"),
        ("acquisition_log", "i8"),
        ("acquisition_count", "i8"),
        ("log_is_full", "i8"),
        ("search", "i8"),  # number of the last search of the log
        ("search_steps", "i8"),
        ("stamp", "i8"),
        ("launch_stamp", "i8"),  # stamp of the last synchronisation of the whole grid
        ("turn_stamp", "i8"),
        # order
        ("first_block", "i8"),  # the n-th block to start is ``(first + n * stride) % blocks``
        ("block_stride", "i8"),
        ("first_lane", "i8"),  # the n-th lane of an atomic is ``(first + n * stride) % 32``
        ("lane_stride", "i8"),
        ("warp_order", "i1", (32,)),
        ("quantum", "i8"),  # micro-operations of a warp's turn if one block is resident
        ("turn_steps", "i8"),  # micro-operations of a warp's turn now
        # progress
        ("steps", "i8"),
        ("longest_warp", "i8"),  # most steps of one warp in the blocks that have ended
        ("longest_warps", "i8"),  # sum over those blocks of their longest warp's steps
        ("shortest_warp", "i8"),  # least of those longest warps' steps; 0 before a block has ended
        ("self", "i8"),  # address of this record
        ("resident_blocks", "i8"),  # host address of their table
        ("resident_slots", "i8"),  # slots that have memory
        ("resident_limit", "i8"),
        ("resident_count", "i8"),  # slots that hold a block
        ("current", "i8"),  # slot that has the turn, or had it last
        ("running", "i8"),
        ("started", "i8"),  # blocks started since the launch began
        ("last_block", "i8"),  # number of blocks to start
        ("at_grid_barrier", "i8"),  # blocks that wait there
        ("yielded", "i8"),  # time slices since a block was started
        ("slice_end", "i8"),
        ("polls", "i8"),  # accesses in this slice to memory that others may write
        ("tracks_changes", "i8"),  # whether ``version`` counts changes of memory
        ("version", "i8"),  # memory version; every change increments it
        ("undefined_lanes", "i8"),  # current access: lanes that read memory which nothing has written,
        ("undefined_address", "i8"),  # and the address of the last of them
        ("chosen_pc", "i8"),
        ("chosen_frame", "i8"),
        ("reconvergence_pc", "i8"),
        ("stopped_pc", "i8"),
        ("stopped_thread", "i8"),
        # service request to Python
        ("service_lanes", "i8"),
        ("service_rows", "i8"),  # host address of the frame
        ("turn_end", "i8"),  # end of the turn that a service interrupted; 0: none
        ("heap_owner", "i8"),  # host address of the allocation numbers, one per four bytes of the heap
        *_RESIDENT_FIELDS,
    ],
    align=True,
)
"""One launch in progress."""

MAX_EVENTS = 256
"""Most events that a launch keeps; further ones are dropped."""

_MAX_UNDECISIVE = 192

EVENT_ROOM = tuple(MAX_EVENTS if kind in DECISIVE else _MAX_UNDECISIVE for kind in EventKind)
"""For each kind, the table size at which new events are dropped. Kinds that decide no verdict leave room for others."""

MAX_COUNTED_THREADS = 1 << 22
"""Threads of a grid that events distinguish. Later threads are not counted in findings."""
