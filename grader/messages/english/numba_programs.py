"""What is found about a Numba program, where the words for CUDA C++ name functions that Python does not have."""

from grader.messages.message import Message, message, plural

NUMBA_PROGRAMS: dict[str, Message] = {
    "array-out-of-memory": plural(
        "count",
        "the allocation of {size:,} byte fails: the emulated device has {most:,} bytes",
        "the allocation of {size:,} bytes fails: the emulated device has {most:,} bytes",
    ),
    "stream-copy-of-pageable-array": message(
        "this copy in a stream uses a pageable array: the program waits for it, and nothing overlaps with it"
    ),
    "pin-array": message(
        "make the host array with cuda.pinned_array, and pass it to cuda.to_device or to copy_to_host"
    ),
    "synchronize-before-this": message(
        "call cuda.synchronize(), or synchronize() of its stream, before this line"
    ),
    "synchronize-before-end": message("call cuda.synchronize() before the end"),
    "elapsed-of-unrecorded": message("the elapsed time is asked of an event that was never recorded"),
    "elapsed-of-unreached": message("the elapsed time is asked of an event that the device has not reached"),
    "synchronize-event": message("call synchronize() of the second event before this line"),
    "order-by-event-wait": message(
        "record an event after line {line}, and call its wait() with stream {stream} before this line"
    ),
    "driver-function-missing": message("{function} is missing in Grader's driver, so this call fails"),
}
