"""Decisions of staff about points and verdicts."""

from grader.messages.message import Message, message

COURSE: dict[str, Message] = {
    "excused": message("excused"),
    "points-adjusted": message("{before} → {after} points"),
    "verdict-adjusted": message("{before:word} → {after:word}"),
    "adjusted": message("{changes} by {who} on {day}"),
    "adjusted-as-graded": message("left as graded"),
}
