"""Parts of statements: amounts, threads, accesses and memory. Each is a noun, or a verb for a source line."""

from grader.messages.message import Message, message, plural

NAMES: dict[str, Message] = {
    # Amounts
    "bytes": plural("count", "{count:,} byte", "{count:,} bytes"),
    "elements": plural("count", "{count:,} element ({bytes})", "{count:,} elements ({bytes})"),
    "threads": plural("count", "{count:,} thread", "{count:,} threads"),
    # Threads
    "thread": message("thread {thread}"),
    "thread-of-block": message("thread {thread} of block {block}"),
    "several-threads": plural(
        "count", "{count:,} thread, {first}", "{count:,} threads, the first of them {first}"
    ),
    "block": message("block {block}"),
    "lanes": plural("count", "lane {lanes}", "lanes {lanes}"),
    "warps": plural("count", "warp {warps}", "warps {warps}"),
    # Accesses
    "reads": message("reads"),
    "writes": message("writes"),
    "updates": message("updates"),
    "loads": message("loads"),
    "stores": message("stores"),
    "accesses": message("{accesses:and}"),
    "accesses-of-array": message("{accesses:and} of {array}"),
    # Memory
    "buffer": message("buffer {name}"),
    "variable": message("variable {name}"),
    "shared-array": message("shared array {name}"),
    "shared-array-by-number": message("shared array no. {number}"),
    "unnamed-shared-array": message("shared memory"),
    "local-memory": message("the thread's local memory"),
    "heap-memory": message("memory from malloc"),
    "no-buffer": message("no buffer"),
    "heap-allocation": plural(
        "count", "the {count:,} byte allocated at {line}", "the {count:,} bytes allocated at {line}"
    ),
    # Positions
    "before-start": message("{distance} before its start"),
    "before-start-up-to": message("{distance} before its start, at most {furthest}"),
    "past-end": message("{distance} past its end"),
    "past-end-up-to": message("{distance} past its end, at most {furthest}"),
    "beyond-both-ends": message("up to {before} before its start and up to {past} past its end"),
}
