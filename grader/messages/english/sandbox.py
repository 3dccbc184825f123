"""How the process that works on a submission was lost."""

from grader.messages.message import Message, message

SANDBOX: dict[str, Message] = {
    "no-answer-in-time": message("it gave no answer within {seconds:g} s"),
    "memory-limit-exceeded": message("it used more memory than allowed"),
    "process-limit-exceeded": message("it started more processes than allowed"),
    "ended-by-signal": message("its process was ended by signal {signal}"),
    "ended-with-exit-code": message("its process ended with exit code {status}"),
    "lost-during-transfer": message("during the transfer of its inputs, {cause}"),
    "worker-reported": message(
        "its process ended with an error. In the words of that process, which a submission can choose: “{words}”"
    ),
    "times-of-another-kind": message("its process sent times of another kind than those asked for"),
    "answer-unreadable": message("its process sent an answer that cannot be read: {problem}"),
}
