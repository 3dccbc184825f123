"""Statements about what the emulator observed at full size, and about kernels with more than one face."""

from grader.messages.message import Message, message

OBSERVATION: dict[str, Message] = {
    # Drawn blocks of the timed case
    "drawn-blocks-idle": message("none of the drawn blocks accesses global memory"),
    "sample-lacks-memory": message("the drawn blocks need more memory than the emulator may use"),
    "sample-reads-too-much": message("the drawn blocks read too many of the inputs"),
    "flaw-in-timed-case": message(
        "not in the timed case: blocks drawn at its full size do not show this technique"
    ),
    "technique-used-when-observed": message(
        "yes in the observed case; the emulator could not observe blocks of the timed case"
    ),
    # Kernels with two faces
    "code-for-one-size": message(
        "much of the work of the timed case is done by code that sizes a little below or above do not run"
    ),
    "other-code-when-timed": message(
        "the timed case runs other code than the observed case, and only the observed code shows the technique"
    ),
    "reads-multiprocessor": message(
        "{location}: it reads on which multiprocessor it runs, so it can tell a device from an emulator"
    ),
    "decides-by-address": message(
        "{location}: it decides by the value of an address, so it can tell one launch from another"
    ),
    "keeps-heap": message(
        "{location}: it allocates from the device's heap, which outlives a launch, so it can count launches"
    ),
    "depends-on-unwritten-memory": message(
        "{location}: it depends on memory that nothing has written, which differs from launch to launch"
    ),
    "device-probe": message(
        "it reads where it runs or what a launch leaves behind, so a speed measured on a GPU counts only after staff"
        " review"
    ),
    "device-probe-advice": message(
        "compute with sizes and indices alone: remove reads of %smid, %nsmid, %warpid and %nwarpid, comparisons of"
        " addresses of different arrays, and malloc"
    ),
    # Sizes near those of the timed case
    "wrong-at-nearby-sizes": message("right at its own sizes, wrong at sizes near them: {reason}"),
}
