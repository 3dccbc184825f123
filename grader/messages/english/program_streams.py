"""What is found about the streams of a program: races, orders, graphs."""

from grader.messages.message import Message, message, plural

PROGRAM_STREAMS: dict[str, Message] = {
    "streams-write-both": message(
        "{second} in stream {second_stream} writes {name}, which {first} in stream {first_stream} writes too, and"
        " nothing orders the two"
    ),
    "streams-write-then-read": message(
        "{second} in stream {second_stream} reads {name}, which {first} in stream {first_stream} writes, and nothing"
        " orders the two"
    ),
    "streams-read-then-write": message(
        "{second} in stream {second_stream} writes {name}, which {first} in stream {first_stream} reads, and nothing"
        " orders the two"
    ),
    "order-by-event": message(
        "record an event after line {line}, and call cudaStreamWaitEvent with it for stream {stream} before this line"
    ),
    "default-stream-does-not-wait": message(
        "a stream made with cudaStreamNonBlocking and the default stream do not wait for each other: record an event"
        " after line {line}, and call cudaStreamWaitEvent with it before this line"
    ),
    "default-stream-serialises": message(
        "{name} runs in the default stream, and other streams wait for it or it for them, as at line {line}: that costs"
        " {lost:,} µs, {share} % of the time of all work"
    ),
    "leave-default-stream": message(
        "they use no memory in common: give it a stream of its own, or create the others with cudaStreamNonBlocking"
    ),
    "order-in-graph": message(
        "both belong to one graph: let the second depend on the first, by an event in the capture or by"
        " cudaGraphAddDependencies"
    ),
    # Graphs
    "work-graph": message("graph"),
    "capture-forbids": message(
        "{function} is not permitted while a stream is captured: nothing runs until the launch"
    ),
    "capture-forbids-default-stream": message(
        "{function} uses the default stream, which waits for the stream that is captured"
    ),
    "capture-has-event": message(
        "{function} gets an event that was recorded in a capture, which never happens itself"
    ),
    "captures-merge": message("{function} joins two captures"),
    "capture-waits-outside": message(
        "{function} lets a captured stream wait for an event of work outside the capture"
    ),
    "call-outside-capture": message("call it before cudaStreamBeginCapture, or after cudaStreamEndCapture"),
    "use-captured-stream": message(
        "pass the captured stream, or create that with cudaStreamNonBlocking and leave the default stream alone"
    ),
    "capture-from-one-stream": message("begin one capture, and let other streams join it by an event"),
    "record-in-capture": message("record the event after cudaStreamBeginCapture, in a stream of the capture"),
    "capture-of-default-stream": message("the default stream cannot be captured"),
    "capture-a-stream": message(
        "create a stream with cudaStreamCreate, and use it for all work of the capture"
    ),
    "captured-already": message("this stream is captured already"),
    "capture-not-begun": message("cudaStreamEndCapture gets a stream that is not captured"),
    "capture-ended-elsewhere": message("cudaStreamEndCapture gets a stream that joined the capture later"),
    "end-in-first-stream": message("end the capture in the stream that began it"),
    "capture-unjoined": message(
        "the capture ends, and its first stream does not wait for the work of line {line}"
    ),
    "join-capture": message(
        "record an event in that stream, and call cudaStreamWaitEvent with it for the first stream, before the end"
    ),
    "capture-never-ended": message("the program ends, and the capture that begins here never did"),
    "end-capture": message("call cudaStreamEndCapture"),
    "graph-unknown": message("the call gets a graph or node that does not exist, or no longer"),
    "graph-has-cycle": message("nodes of the graph wait for each other"),
    "graph-differs": message("cudaGraphExecUpdate gets a graph with other nodes or dependencies"),
    "instantiate-again": message("call cudaGraphInstantiate with the new graph"),
    # Several devices
    "work-copy-peer": message("copy between devices"),
    "launch-in-other-device": message(
        "{kernel} is launched in a stream of device {owner}, and device {device} is selected"
    ),
    "select-device": message("call cudaSetDevice({owner}) before the launch"),
    "event-of-other-device": message(
        "cudaEventRecord gets an event of device {device} and a stream of device {owner}"
    ),
    "create-event-there": message("create the event while device {owner} is selected"),
    "events-of-two-devices": message(
        "cudaEventElapsedTime gets events of two devices, {device} and {owner}: their clocks differ"
    ),
    "kernel-gets-other-device": message(
        "parameter {number} of {kernel} is {name}, which is memory of device {owner}: device {device}, where the kernel"
        " runs, has no access to it"
    ),
    "enable-peer-access": message(
        "call cudaDeviceEnablePeerAccess({owner}, 0) while device {device} is selected, or copy the data with"
        " cudaMemcpyPeer"
    ),
    # Memory of host code
    "host-heap-overflow": plural(
        "count",
        "the program accesses {size} byte outside an array of the host's heap ({access:word})",
        "the program accesses {size} bytes outside an array of the host's heap ({access:word})",
    ),
    "host-array-overflow": plural(
        "count",
        "the program accesses {size} byte outside a local or global array ({access:word})",
        "the program accesses {size} bytes outside a local or global array ({access:word})",
    ),
    "host-heap-freed": message("the program uses memory of the host that it has released"),
    "host-stack-gone": message("the program uses a local variable of a block or function that has ended"),
    "host-heap-freed-twice": message("the program releases memory of the host a second time"),
    "host-heap-wrong-release": message(
        "the program releases memory of the host by another way than it allocated it: malloc and free, new and delete,"
        " new[] and delete[] belong together"
    ),
    "host-heap-bad-release": message(
        "the program releases an address that no allocation of the host returned"
    ),
    "host-memory-error": message("AddressSanitizer reports {kind} in host code"),
    # Managed memory
    "host-uses-managed": message(
        "the program uses {name} while the {work} runs: on the {device} host code uses managed memory only while no"
        " kernel runs"
    ),
}
