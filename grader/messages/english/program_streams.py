"""What is found about the streams of a program: races, orders, graphs."""

from grader.messages.message import Message, message

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
    "host-uses-managed": message(
        "the program uses {name} while the {work} runs: on the {device} host code uses managed memory only while no"
        " kernel runs"
    ),
}
