"""Statements in the words of Numba, by those that name functions of CUDA C++; the parameters are the same."""

WORDING = {
    "no-device-memory": "array-out-of-memory",
    "async-copy-of-pageable": "stream-copy-of-pageable-array",
    "pin-memory": "pin-array",
    "wait-before-this": "synchronize-before-this",
    "wait-before-end": "synchronize-before-end",
    "event-not-recorded": "elapsed-of-unrecorded",
    "event-not-reached": "elapsed-of-unreached",
    "wait-for-event": "synchronize-event",
    "order-by-event": "order-by-event-wait",
    "default-stream-does-not-wait": "order-by-event-wait",
    "runtime-function-missing": "driver-function-missing",
}
