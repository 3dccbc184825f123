"""Why a launch did not start, did not end, or stopped, and what to do about it."""

from grader.messages.message import Message, message, plural

RUNS: dict[str, Message] = {
    "fault-at": message("{fault} ({location})"),
    "fault-at-repeated": plural(
        "count", "{fault} ({location}, {count:,} time)", "{fault} ({location}, {count:,} times)"
    ),
    # Launches that do not start
    "invalid-launch": message("invalid launch of {kernel}: {problem}"),
    "empty-grid": message("the grid {grid} is empty; every extent must be at least 1"),
    "empty-block": message("the block {block} is empty; every extent must be at least 1"),
    "too-many-threads": message("the block {block} has {threads:,} threads; at most {most:,} are allowed"),
    "too-deep-block": message(
        "the block {block} is {depth} deep; at most {most} threads are allowed along z"
    ),
    "too-large-grid": message("the grid {grid} is too large; at most {most} blocks are allowed"),
    "too-much-shared-memory": message(
        "a block asks for {bytes:,} bytes of shared memory; {device} gives a block at most {most:,}"
    ),
    "too-many-registers": message(
        "a block of {threads:,} threads at {registers} registers each asks for more than the {most:,} registers of a"
        " multiprocessor; use smaller blocks"
    ),
    "fix-launch": message(
        "change the grid, the block or the shared memory size in the launch so that the device accepts it"
    ),
    "too-many-blocks": message("the launch has {blocks:,} blocks; the emulator runs at most {most:,}"),
    "launch-fewer-blocks": message(
        "launch fewer blocks with more threads each, or loop over the elements in the kernel"
    ),
    "no-double-precision": message("{device} has no double precision"),
    # What the emulator lacks
    "unsupported": message("unsupported on the emulator: {what}"),
    "use-gpu": message("grade this kernel on a real GPU, or rewrite it without this operation"),
    "unsupported-operand": message("the operand {what}"),
    "unsupported-operands": message("the operands of {what}"),
    "unsupported-address": message("the address {what}"),
    "unsupported-special-register": message("the special register {what}"),
    "unsupported-call": message("a call of {what}"),
    "unsupported-indirect-call": message("a call through {what}"),
    "unsupported-jump": message("a jump to {what}"),
    "unsupported-initial-value": message("the initial value {what}"),
    "unsupported-initial-values": message("the initial values of {what}"),
    "unsupported-ptx": message("PTX that it cannot read ({what})"),
    "missing-kernel": message("a module without the kernel {what}"),
    "too-much-memory": message("{what}, which needs too much local or shared memory"),
    "too-many-virtual-registers": message("{what}, which has too many registers"),
    "too-large-offset": message("{what}, which has an offset that is too large"),
    "too-many-variables": message("{what}, which has more than {most:,} global variables"),
    "too-many-shared-arrays": message("{what}, which has more than {most:,} shared arrays"),
    "too-many-instructions": message("{what}, which has more than {most:,} instructions"),
    "too-large-variables": message("{bytes:,} bytes of global and constant variables, such as {what}"),
    # Launches that do not end
    "out-of-time": message("no end after {seconds:g} seconds: {thread} was still in the loop at {line}"),
    "out-of-steps": message(
        "no end after {steps:,} warp instructions: {thread} was still in the loop at {line}"
    ),
    "endless-loop": message(
        "no end: {thread} repeats the loop at {line} forever, because none of its values changes"
    ),
    "endless-wait-for-thread": message(
        "no end: {thread} waits at {line} for a value that no other thread will ever write"
    ),
    "endless-wait-for-block": message(
        "no end: {block} waits at {line} for a value that another block must write; {waiting:,} of {blocks:,} blocks"
        " were resident and all waited, {ended:,} had ended"
    ),
    "endless-wait-at-grid-barrier": message(
        "no end: {block} waits at {line} for all blocks to arrive; {waiting:,} of {blocks:,} blocks were resident and"
        " all waited, {ended:,} had ended"
    ),
    "no-memory-for-blocks": message("{wait}, and the emulator has no memory for more"),
    "gpu-time-out": message(
        "still running after {seconds:g} s; look for a loop that never ends or a barrier that is not reached"
    ),
    "check-loop": message(
        "check the condition that ends the loop; if the loop does end, the launch has too much work for the limit"
    ),
    "plan-loop-endless": plural(
        "count",
        "{flag} has not ended the loop of launches after {count:,} round, the most that the lab allows",
        "{flag} has not ended the loop of launches after {count:,} rounds, the most that the lab allows",
    ),
    "change-tested-value": message(
        "check the condition that ends the loop: every round must change a value that it tests"
    ),
    "check-writer": message(
        "check which thread should write it: all threads that could are waiting or have ended"
    ),
    "check-lock": message(
        "check that some block always writes the value that the others wait for, and releases every lock"
    ),
    "reach-grid-barrier": message("make sure that every block reaches the grid barrier"),
    "launch-resident-blocks": plural(
        "most",
        "the device cannot hold all blocks at once: launch only {most:,}, or split the kernel",
        "the device cannot hold all blocks at once: launch at most {most:,}, or split the kernel",
    ),
    "use-gpu-or-fewer-blocks": message("grade this kernel on a real GPU, or launch fewer blocks"),
    # Launches that stop
    "barrier-deadlock": message("barrier that never completes in {block}: of {threads} wait {groups:and}"),
    "barrier-deadlock-after-exit": message(
        "barrier that never completes in {block}: of {threads} wait {groups:and}; {ended:,} have ended"
    ),
    "barrier-deadlock-after-branch": message(
        "barrier that never completes in {block}: of {threads} wait {groups:and}; {ended:,} have ended, after the"
        " branch at {branch}"
    ),
    "waiting-threads": plural(
        "count", "{count:,} at {line} ({first})", "{count:,} at {line} (the first of them {first})"
    ),
    "reach-same-barrier": message(
        "let every thread of the block reach the same barrier: move it out of the branch or the loop"
    ),
    "trap": message("trap at {line}, by {thread}"),
    "assertion-failed": message("assertion {assertion} failed at {line}, by {thread}"),
    "check-condition": message("find out why the condition in this line does not hold for this thread"),
    "undefined-behaviour": message(
        "undefined behaviour near {line}, by {thread}: the compiler left out the code that follows"
    ),
    "find-invalid-access": message(
        "look for an access that is always invalid, such as one through a null pointer"
    ),
    "stack-overflow": message("stack overflow in the call at {line}, by {thread}"),
    "end-recursion": message("check the condition that ends the recursion, or use a loop"),
    "invalid-jump": message("jump to an invalid address at {line}, by {thread}"),
    "check-jump": message("check the function pointer, or the value that selects the branch: it is invalid"),
    # What a GPU says
    "gpu-refused-launch": message(
        "invalid launch: the device refused this grid, block or amount of shared memory"
    ),
    "gpu-out-of-resources": message(
        "invalid launch: too many resources requested; use smaller blocks, fewer registers or less shared memory"
    ),
    "gpu-display-time-out": message(
        "the kernel ran until the display driver stopped it; look for a loop that never ends"
    ),
    "gpu-illegal-address": message(
        "illegal memory access: the kernel read or wrote an address outside every buffer"
    ),
    "gpu-assertion": message("a device-side assert failed"),
    "gpu-stack-error": message(
        "hardware stack error: a stack overflow (deep recursion) or a corrupted stack"
    ),
    "gpu-illegal-instruction": message("illegal instruction: the kernel trapped"),
    "gpu-misaligned-address": message("misaligned address: an access must lie on a multiple of its own size"),
    "gpu-invalid-address-space": message(
        "an instruction for one memory space was given an address in another"
    ),
    "gpu-invalid-jump": message("the kernel jumped to an address that holds no code"),
    "gpu-launch-failure": message(
        "the kernel was aborted by the device (a trap, or an access it could not carry out)"
    ),
    "guard-past-end": message("out of bounds: the kernel wrote past the end of {buffer}, {distance}"),
    "guard-before-start": message("out of bounds: the kernel wrote before the start of {buffer}, {distance}"),
    "behind-last-element": message("{bytes} behind its last element"),
    "right-behind-last-element": message("right behind its last element"),
    "before-first-element": message("{bytes} in front of its first element"),
    "right-before-first-element": message("right in front of its first element"),
    "guard-elsewhere": message("out of bounds: the kernel wrote into memory that it was not given"),
    # Timed launches
    "wrong-when-timed": message("in a timed launch, on other inputs: {reason}"),
    "wrong-while-timed": plural(
        "size",
        "wrong while it was timed: {count:,} of {size:,} element of {buffer} is not what the baseline makes of the same"
        " inputs",
        "wrong while it was timed: {count:,} of {size:,} elements of {buffer} are not what the baseline makes of the"
        " same inputs",
    ),
}
