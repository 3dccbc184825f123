"""Statements about building and running a submission: what stopped it, and what its runs showed."""

from grader.messages.message import Message, message, plural

GRADING: dict[str, Message] = {
    # Runs
    "writes-to-input": plural(
        "count", "it writes to its input {names:and}", "it writes to its inputs {names:and}"
    ),
    "not-run-after-time-out": message("not run: the kernel did not finish case {case}"),
    "invalid-geometry": message("invalid launch: {problem}"),
    "wrong-in-another-order": message("in another order of warps and blocks: {reason}"),
    "order-dependence": message(
        "right when warps and blocks run in their natural order, but not in another order: {reason}"
    ),
    "order-dependence-advice": message(
        "let no result depend on which warp or block comes first: look for a missing barrier, and for a place in the "
        "output that is taken in order of arrival"
    ),
    # Builds
    "nothing-built": message("nothing was built"),
    "launched-with-unbuilt-kernel": message("it is launched together with {kernel}, which was not built"),
    "symbol-missing": message(
        "{kernel} reads no variable {symbol}: declare __constant__ or __device__ {element} {symbol}[{elements}] in "
        "your file and read it; the lab fills it before the launch"
    ),
    "symbol-too-small": message(
        "{symbol}, which {kernel} reads, has {bytes} bytes, and the lab fills {needed}: declare {element} "
        "{symbol}[{elements}]"
    ),
    "compiler-words": message("the compiler says: “{words}”"),
    # Lost workers
    "lost-while-building": message("while building: {cause}"),
    "lost-while-assembling": message("while assembling its code: {cause}"),
    "lost-while-running": message("while running: {cause}"),
    "lost-while-timed": message("while being timed: {cause}"),
    "submission-seconds-used": message(
        "it used all of its {limit:g} s; they are for compiling, checking, observing and timing all kernels together"
    ),
    "grading-failed": message("{problem}"),
    "internal-error": message("internal error: {problem}"),
}
