"""Mistakes that an engine found at a source line."""

from grader.messages.message import Message, message, plural

FINDINGS: dict[str, Message] = {
    # Addresses
    "out-of-bounds-read": message("out of bounds read of {subject}, {distance}, by {threads}"),
    "out-of-bounds-write": message("out of bounds write of {subject}, {distance}, by {threads}"),
    "no-dynamic-shared-memory": message(
        "the launch gives the kernel 0 bytes of dynamic shared memory, so {subject} has no elements; used by {threads}"
    ),
    "out-of-bounds-local-read": message("out of bounds read of the thread's local memory, by {threads}"),
    "out-of-bounds-local-write": message("out of bounds write of the thread's local memory, by {threads}"),
    "wild-read": message("out of bounds read at an address in no buffer, by {threads}"),
    "wild-write": message("out of bounds write at an address in no buffer, by {threads}"),
    "null-read": message("read through a null pointer, by {threads}"),
    "null-write": message("write through a null pointer, by {threads}"),
    "no-texture": message("read through a handle that is not a texture of this kind, by {threads}"),
    "outside-surface": message("access outside a surface, by {threads}"),
    "surface-misaligned": message(
        "access of a surface at an x that is not a multiple of the size of the access, by {threads}"
    ),
    "misaligned-access": message(
        "misaligned access of {bytes} to {subject}, by {threads}: the address must be a multiple of {size}"
    ),
    "constant-write": message("write to constant memory ({subject}), by {threads}"),
    "input-write": message("write to input {subject}, by {threads}"),
    "uninitialised-read": message("read of an element of {subject} that nothing has written, by {threads}"),
    "uninitialised-value-used": message(
        "read of an element of {subject} that nothing has written, by {threads}; what {line} does depends on its value"
    ),
    # Memory from malloc
    "heap-out-of-bounds": message(
        "access outside the memory from malloc: {thread} {does} {distance} past the end of {allocation}"
    ),
    "heap-before-start": message(
        "access outside the memory from malloc: {thread} {does} before the first allocation"
    ),
    "heap-use-after-free": message("access to freed memory: {thread} {does} {allocation}, freed at {line}"),
    "heap-use-after-reuse": message(
        "access to freed memory: {thread} {does} an allocation that no longer exists"
    ),
    "heap-double-free": message("memory freed again: {thread} frees {allocation}, freed at {line}"),
    "heap-double-free-after-reuse": message(
        "memory freed again: {thread} frees an allocation that no longer exists"
    ),
    "heap-invalid-free": message("free of an address that malloc did not return, by {threads}"),
    "heap-exhausted": message(
        "malloc returned null, because the heap of {room:,} bytes has no room for {bytes}, in {threads}"
    ),
    # Races
    "data-race": message("race on {subject}: {conflict}; {cause}; first seen in {thread} and {other}"),
    "conflict-of-lines": message("{line} {does} what {other_line} {other_does}"),
    "conflict-with-next-iteration": message(
        "{line} {does} what {other_line} of the next iteration {other_does}"
    ),
    "conflict-in-line": message("{line} {does} in one thread what it {other_does} in another"),
    "writes-in-line": message("several threads write one element at {line}"),
    "unordered-blocks": message("nothing orders the two blocks"),
    "missing-grid-barrier": message("nothing orders the two blocks, because no grid.sync() is between them"),
    "unordered-lanes": message(
        "one instruction writes different values to one address, and which value remains is undefined"
    ),
    "updates-in-line": message("{line} writes back what it computed from the old value"),
    "lost-update": message(
        "lanes of a warp read the same old value, so that all their updates but one are lost"
    ),
    "atomic-of-block": message(
        "an atomic with the suffix _block, or of block scope, works within one block only"
    ),
    "fence-of-block": message("the fence at {fence} is for the threads of one block only"),
    "unreleased-blocks": message(
        "nothing orders the two blocks: no fence of the writing thread, or after a barrier behind the write, comes"
        " before the flag or counter that the other block reads"
    ),
    "unordered-writes": message("nothing orders the two writes, and which value remains is undefined"),
    "barrier-of-other-warps": message("the barrier at {barrier} is only for {warps}"),
    "warp-barrier-only": message(
        "the warp barrier at {barrier} orders the lanes of one warp, not different warps"
    ),
    "fence-only": message("the fence at {fence} waits for no other thread"),
    "barrier-before-both": message("the barrier at {barrier} comes before both, and none is between them"),
    "missing-barrier": message("no barrier is between the two"),
    "lane-hazard": message(
        "missing {barrier} on {subject}: {conflict}, but the lanes of a warp need not run in lockstep; first seen in"
        " {thread} and {other}"
    ),
    "lane-hazard-in-lines": message(
        "missing {barrier} on {subject:and}: lanes of a warp exchange elements in lines {lines}, but need not run"
        " in lockstep; first seen in {thread} and {other}"
    ),
    "same-value-writes": message(
        "several threads write one value to {subject}, for instance {thread} at {line} and {other} at {other_line}:"
        " harmless as long as all write the same value"
    ),
    # Barriers and lane masks
    "divergent-barrier": message(
        "divergent barrier: threads of one warp wait at different barriers, {thread} at {line}, {other} at"
        " {other_line}"
    ),
    "barrier-not-reached": message(
        "barrier that some threads never reach: {waiting:,} of {threads} of {block} wait at {line}, {ended:,} have"
        " ended; the first of them is {first}"
    ),
    "barrier-not-reached-by-branch": message(
        "barrier that some threads never reach: {waiting:,} of {threads} of {block} wait at {line}, {ended:,} have"
        " ended after the branch at {branch}; the first of them is {first}"
    ),
    "absent-lanes": plural(
        "count",
        "the lane mask {mask} names a lane that does not take part, {lanes}: {first}, in the call by {thread}",
        "the lane mask {mask} names lanes that do not take part, {lanes}; the first of them is {first}, in the call"
        " by {thread}",
    ),
    "shuffle-from-exited-lane": message(
        "{thread} reads a value from {other}, which has exited or does not exist: the value is undefined, and"
        " {line} writes it to memory"
    ),
    "shuffle-from-inactive-lane": message(
        "{thread} reads a value from {other}, which does not take part in the call: the value is undefined, and"
        " {line} writes it to memory"
    ),
    "outside-lane-mask": message("the lane mask {mask} does not name the thread that calls, {threads}"),
    # Another program's findings
    "unnamed-sanitizer-error": message("an error without a name"),
}
