"""Where the time of a kernel goes, and what to do about it."""

from grader.messages.message import Message, message, plural

PERFORMANCE: dict[str, Message] = {
    "fewer-registers-fit": plural(
        "blocks",
        "{amount} registers or fewer per thread would fit {blocks} block, {share} % occupancy",
        "{amount} registers or fewer per thread would fit {blocks} blocks, {share} % occupancy",
    ),
    "less-shared-fits": plural(
        "blocks",
        "{amount} bytes or less of shared memory per block would fit {blocks} block, {share} % occupancy",
        "{amount} bytes or less of shared memory per block would fit {blocks} blocks, {share} % occupancy",
    ),
    "other-block-fits": plural(
        "blocks",
        "blocks of {amount} threads would fit {blocks} block, {share} % occupancy",
        "blocks of {amount} threads would fit {blocks} blocks, {share} % occupancy",
    ),
    "uncoalesced-load": message("uncoalesced load: {traffic}"),
    "uncoalesced-store": message("uncoalesced store: {traffic}"),
    "sectors": message("{sectors:.1f} sectors of 32 bytes per request of a warp instead of {ideal:.1f}"),
    "sectors-by-stride": message(
        "{sectors:.1f} sectors of 32 bytes per request of a warp instead of {ideal:.1f}, because neighbouring threads"
        " are {stride} apart"
    ),
    "coalesce": message(
        "let threadIdx.x select the element within a row, so that neighbouring threads use neighbouring elements, or"
        " load the data through a tile in shared memory"
    ),
    "bank-conflict": message(
        "bank conflicts in {accesses}, {ratio:.1f}-way on average: each takes {ratio:.1f} times as long"
    ),
    "pad-rows": message(
        "make the rows {padded:,} elements long instead of {length:,}: with that padding the recorded accesses have no"
        " conflict"
    ),
    "swizzle-rows": message(
        "padding rows of {length:,} elements by up to {tried} does not remove all conflicts of the recorded accesses:"
        " let a warp use 32 neighbouring elements, or swizzle the column with the row (column ^ row)"
    ),
    "use-one-row": message(
        "the rows that a warp uses at once start in the same banks: let 32 neighbouring threads use one row, or make"
        " the rows as long as the block is wide"
    ),
    "use-neighbours": message(
        "let neighbouring threads use neighbouring elements of shared memory, so that every lane of a warp uses a"
        " different bank"
    ),
    "use-neighbours-in-reduction": message(
        "let neighbouring threads use neighbouring elements of shared memory, so that every lane of a warp uses a"
        " different bank (in a reduction: s[t] += s[t + step], with a step that halves)"
    ),
    "branch-divergence": message(
        "branch divergence: in {share:.0%} of the executions of this branch ({branches:,}) the lanes of a warp diverge;"
        " over the whole kernel {idle:.0%} of the lanes are idle"
    ),
    "same-branch-for-warp": message(
        "make the condition the same for all 32 threads of a warp, so that whole warps work or are idle"
    ),
    "atomic-contention": message(
        "contended atomics: {lanes:.1f} lanes of a warp update one address on average, one after the other"
    ),
    "combine-before-atomic": message(
        "combine the values within the warp (shuffles) or the block (shared memory) first, then update once"
    ),
    "low-occupancy": message(
        "low occupancy: {active} of {most} warps fit on a multiprocessor of the {device}, limited by {limiter}"
    ),
    "limiter-registers": message("registers"),
    "limiter-shared-memory": message("shared memory"),
    "limiter-blocks": message("the number of blocks"),
    "limiter-threads": message("the number of threads"),
    "use-fewer-registers": message(
        "use fewer registers: fewer live values, less unrolling, or __launch_bounds__"
    ),
    "use-less-shared-memory": message("use less shared memory per block: a smaller tile, or a narrower type"),
    "use-larger-blocks": message(
        "use larger blocks: the device limits the number of blocks per multiprocessor, whatever their size"
    ),
    "use-dividing-block-size": message(
        "use a block size that divides the number of threads per multiprocessor"
    ),
}
