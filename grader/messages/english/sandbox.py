"""How the process that works on a submission was lost."""

from grader.messages.message import Message, message

SANDBOX: dict[str, Message] = {
    "no-answer-in-time": message("it gave no answer within {seconds:g} s"),
    "memory-limit-exceeded": message("it used more memory than allowed"),
    "process-limit-exceeded": message("it started more processes than allowed"),
    "ended-by-signal": message("its process was ended by signal {signal}"),
    "ended-with-exit-code": message("its process ended with exit code {status}"),
    "answer-unreadable": message("its process sent an answer that cannot be read: {problem}"),
}
