"""What is said of programs that are timed end to end on a real GPU."""

from grader.messages.message import Message, message

TIMED_PROGRAMS: dict[str, Message] = {
    "timed-answer-early": message("the program answered before it got its inputs"),
    "timed-answer-unknown": message("the program sent an answer to no question"),
    "timed-answer-late": message("the program did not answer within {seconds:g} s"),
    "timed-program-left": message("the program ended while it was timed"),
    "timed-prepare-failed": message("the function that prepares returned {status}"),
    "timed-status": message("the function returned {status} while it was timed"),
    "faster-than-bus": message(
        "{ratio:.2f} times faster than the bus of {device} moves its inputs and outputs"
    ),
    "gpu-idle-while-timed": message("the GPU did nothing for the program while it was timed"),
}
