"""What a build says about the host code of a submission: its launches, and the variables that it sets."""

from grader.messages.message import Message, message

HOST_CODE: dict[str, Message] = {
    "launch-part-unknown": message(
        "{part} depends on `{text}` ({location}), which is known only when host code runs"
    ),
    "launch-part-too-long": message("{part} is too long an expression ({location})"),
    "launch-not-read": message(
        "the launch of {kernel} in {location} cannot be read, so the lab's block and grid are used: {problem}; "
        "for another geometry, write the line `{directive}`"
    ),
    "launches-differ": message(
        "host code launches {kernel} with several geometries; that of {location} is used, not {others:and}; "
        "to decide it yourself, write the line `{directive}`"
    ),
    "launch-in-loop": message(
        "a loop changes the geometry of {kernel} in {location}; that of its first round is used; "
        "to decide it yourself, write the line `{directive}`"
    ),
    "shared-size-missing": message(
        "{kernel} uses dynamic shared memory, but nothing gives its size, so it has 0 bytes; "
        "write a line such as `{directive}`"
    ),
    "symbol-set-by-host": message(
        "{kernel} reads {symbol}, which {call} sets in {location}; host code does not run, so {symbol} keeps its "
        "initial value: write the values into its definition, or compute them in the kernel"
    ),
    "symbol-assigned-by-host": message(
        "{kernel} reads {symbol}, which host code sets in {location}; host code does not run, so {symbol} keeps its "
        "initial value: write the value into its definition, or compute it in the kernel"
    ),
}
