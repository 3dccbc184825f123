"""What to do about a mistake that an engine found."""

from grader.messages.message import Message, message

ADVICE: dict[str, Message] = {
    # Addresses
    "guard-index": message(
        "{subject} has {elements}: guard the access, as in if (i < n), with < and not <=; the last block may have more"
        " threads than elements are left, and a loop must end before the size"
    ),
    "guard-shared-index": message(
        "{subject} has {elements}: compare the index with that number, and with the size of the block that uses the"
        " array"
    ),
    "guard-negative-index": message(
        "guard the access, as in if (i >= 0): the first threads have no element before theirs"
    ),
    "guard-unknown-index": message("check how the address is computed: compare each index with its size"),
    "pass-dynamic-shared-memory": message(
        "an extern __shared__ array gets its size in bytes from the launch: write it into the launch directive, as in"
        " shared=block*4, or as the third value of <<<grid, block, bytes>>>"
    ),
    "check-pointer": message("check which value the pointer gets before this line uses it"),
    "check-texture": message(
        "pass the texture object on unchanged, and read it with the function for its kind (tex2D, tex1Dfetch)"
    ),
    "surface-x-in-bytes": message(
        "x of a surface counts bytes: multiply it by the size of an element, and compare x, y and z with the sizes"
    ),
    "align-access": message(
        "access single elements, or make every row start at a multiple of the vector type's size"
    ),
    "write-to-buffer": message("kernels can only read constant memory: write to a buffer instead"),
    "keep-inputs": message(
        "do not change the inputs: write to the output, or work on a copy in shared memory"
    ),
    "initialise-local": message("give every local variable and array element a value before reading it"),
    "initialise-shared": message(
        "write every element before it is read: a tile may be larger than the block, or need zeros at the edge"
    ),
    "initialise-output": message("write the element first, or use = instead of += for the first value"),
    "fix-race-first": message(
        "fix the race in this line first: it may read the element before it is written"
    ),
    # Memory from malloc
    "guard-allocation": message("compare the index with the size passed to malloc"),
    "free-after-last-use": message("free the memory after its last use"),
    "free-once": message("free the memory once, by one thread"),
    "free-own-pointer": message("pass to free exactly the pointer that malloc returned"),
    "check-allocation": message("check the pointer for null, and free memory that is no longer needed"),
    # Races
    "add-barrier": message("add {barrier} between {line} and {other_line}"),
    "add-barrier-in-loop": message("add {barrier} after {line}, at the end of the loop"),
    "split-line": message(
        "read the element into a local variable, add {barrier}, and write after it; in a loop, add another {barrier}"
        " at the end"
    ),
    "add-grid-barrier": message(
        "add {barrier} between {line} and {other_line}, or give each block its own elements"
    ),
    "add-grid-barrier-in-line": message(
        "add {barrier} between the two accesses, or give each block its own elements"
    ),
    "barrier-outside-branch": message(
        "{advice}; put it where every thread of the block passes, because some threads skip {line}"
    ),
    "or-own-elements": message("{advice}, or give each thread its own elements"),
    "own-elements-of-block": message(
        "blocks of an ordinary launch cannot wait for each other: give each its own elements, or use an atomic"
    ),
    "own-elements": message("give each thread its own elements, or use an atomic"),
    "one-writer-or-atomic": message(
        "give each thread its own elements, let one thread write, or use an atomic"
    ),
    "update-by-atomic": message(
        "use an atomic, as in {atomic}, or let each thread add up its own elements and one thread the results"
    ),
    "use-device-scope": message(
        "between blocks, use atomics without the suffix _block, {fence}, and the scope of the device"
    ),
    "fence-before-signal": message(
        "call {fence} after the write, by the thread that wrote, and set the flag or the counter only then; if other"
        " threads of the block wrote, a barrier has to come before the flag or the counter; if blocks need not wait"
        " for each other, give each its own elements"
    ),
    "one-writer": message("let one thread write it"),
    "one-writer-of-block": message(
        "let one thread of one block write it; if each block has its own elements, add {block_index} to the index"
    ),
    "add-warp-barrier": message("add {barrier} between {line} and {other_line}, or use a shuffle"),
    "add-warp-barrier-in-line": message(
        "read the element into a local variable, add {barrier}, and write after it, or use a shuffle"
    ),
    "add-warp-barriers": message("add {barrier} after each of these lines, or use shuffles"),
    # Barriers and lane masks
    "move-barrier": message(
        "move the barrier out of the branch, so that all threads of the block reach the same one"
    ),
    "let-all-reach-barrier": message(
        "let every thread reach the barrier: put the condition around the work only, and do not return before it"
    ),
    "let-all-lanes-shuffle": message(
        "let all lanes of the warp make the call, outside the branch: lanes without an element contribute a neutral"
        " value, as in v = i < n ? x[i] : 0"
    ),
    "name-own-lane": message(
        "a thread may call only with a mask that has its own bit: 0xffffffff if all lanes of the warp call"
    ),
    "fix-lane-mask": message(
        "move the call out of the branch, or name only the participating lanes in the mask"
    ),
}
