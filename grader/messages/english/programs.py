"""What is found about a whole program: its copies, its memory, its waits, and what took its time."""

from grader.messages.message import Message, message, plural

PROGRAMS: dict[str, Message] = {
    # Work
    "work-copy-pinned": message("copy of pinned memory"),
    "work-copy-pageable": message("copy of pageable memory"),
    "work-copy-on-device": message("copy on the device"),
    "work-memset": message("fill"),
    "work-kernel": message("{kernel}"),
    "work-event": message("event"),
    "work-host-function": message("host function"),
    # Memory
    "no-device-memory": plural(
        "count",
        "cudaMalloc of {size:,} byte fails: the emulated device has {most:,} bytes",
        "cudaMalloc of {size:,} bytes fails: the emulated device has {most:,} bytes",
    ),
    "no-host-memory": plural(
        "count",
        "the allocation of {size:,} byte of host memory fails",
        "the allocation of {size:,} bytes of host memory fails",
    ),
    "free-of-unknown": message("{function} gets a pointer that no allocation returned"),
    "free-twice": message("{function} releases {name} a second time"),
    "free-by-wrong-function": message("{function} gets {name}, which {made} allocated"),
    "free-by": message("release it with {function}"),
    "never-released": plural(
        "count", "{name}, {size:,} byte, is never released", "{name}, {size:,} bytes, is never released"
    ),
    # Copies
    "copy-direction": message("the copy states {stated:word}, but its pointers make it {actual:word}"),
    "target-comes-first": message("the first argument is the target; state the direction of the pointers"),
    "copy-of-unknown": message("the {role:word} of the copy is no device memory"),
    "copy-of-freed": message("the {role:word} of the copy is {name}, which is already released"),
    "copy-beyond": plural(
        "count",
        "the {role:word} of the copy is {name}, and the copy goes {beyond:,} byte beyond its {size:,} bytes",
        "the {role:word} of the copy is {name}, and the copy goes {beyond:,} bytes beyond its {size:,} bytes",
    ),
    "sizes-are-bytes": message("sizes are in bytes: the number of elements times sizeof of one element"),
    "async-copy-of-pageable": message(
        "cudaMemcpyAsync copies pageable memory: the program waits for it, and nothing overlaps with it"
    ),
    "pin-memory": message("allocate the host memory with cudaMallocHost"),
    # Kernels
    "kernel-gets-freed": message("parameter {number} of {kernel} is {name}, which is already released"),
    "kernel-gets-host-pointer": message("parameter {number} of {kernel} is an address of the host"),
    "pass-device-pointer": message(
        "copy the data with cudaMemcpy, and pass the pointer that cudaMalloc returned"
    ),
    "launch-in-no-stream": message("{kernel} is launched into a stream that does not exist, or no longer"),
    "launch-error-unread": message("this launch failed, and the program never asks for the error"),
    "check-launch": message("call cudaGetLastError after the launch"),
    "call-fails": message("a call fails with {error}"),
    "check-call": message(
        "compare what each call returns with cudaSuccess, and print cudaGetErrorString of it"
    ),
    # Waits
    "host-reads-early": message("the program reads {name} before it has waited for the {work}"),
    "host-writes-early": message("the program writes {name} before it has waited for the {work}"),
    "wait-before-this": message(
        "call cudaDeviceSynchronize, or cudaStreamSynchronize of its stream, before this line"
    ),
    "event-not-recorded": message("cudaEventElapsedTime gets an event that was never recorded"),
    "event-not-reached": message("cudaEventElapsedTime gets an event that the device has not reached"),
    "wait-for-event": message("call cudaEventSynchronize on the second event before this line"),
    "ends-too-early": plural(
        "count",
        "the program ends while {count} operation is unfinished: {name}",
        "the program ends while {count} operations are unfinished, the last of them: {name}",
    ),
    "wait-before-end": message("call cudaDeviceSynchronize before the end"),
    # Host code
    "host-uses-device-memory": message("host code uses {name}, which is memory of the device"),
    "copy-to-host-first": message("copy it to the host with cudaMemcpy"),
    "host-uses-freed": message("host code uses {name}, which is already released"),
    "host-bad-address": message("host code uses the address {address}, where there is no memory"),
    # The runtime and the end
    "runtime-function-missing": message(
        "{function} is missing in Grader's runtime, so the program ends here"
    ),
    "program-ended": message(
        "exit code {code}; {calls:,} calls, {launches:,} launches; {time} modelled on {device}"
    ),
    "program-ended-on-gpu": message(
        "exit code {code}; {calls:,} calls, {launches:,} launches; {time} measured on {device}"
    ),
    "program-ended-unrecorded": message("exit code {code} on {device}"),
    "program-killed-on-gpu": message("ended by signal {signal} on {device}"),
    "program-killed": message("ended by signal {signal}; {calls:,} calls, {launches:,} launches"),
    "program-killed-unexplained": message(
        "ended by signal {signal} in host code; {calls:,} calls, {launches:,} launches; "
        "--sanitize checks the memory of host code"
    ),
    "program-ran-out-of-time": message(
        "ended after {seconds:.1f} s, as --seconds says; {calls:,} calls, {launches:,} launches"
    ),
    "no-findings": message("no fault found"),
    "heading-timeline": message("Timeline"),
    "timeline-note": message(
        "host: time of the program's own code on this machine; copies and kernels: modelled for {device}"
    ),
    "timeline-note-measured": message("all times measured on {device}"),
    "lane-host": message("host"),
    "lane-copies-in": message("copies to the device"),
    "lane-copies-out": message("copies to the host"),
    "lane-kernels": message("kernels, stream {number}"),
    "lane-all-kernels": message("kernels"),
    "lane-of-device": message("GPU {device}: {lane}"),
    "timeline-overlap": message("{share} of the copying time overlaps with kernels"),
    "timeline-gain": message(
        "most work: {lane}, {busy} of {span}; with all other work beside it the program would save up to {gain}"
    ),
    "timeline-full": message("most work: {lane}, {share} of {span}; more overlap would save next to nothing"),
}
