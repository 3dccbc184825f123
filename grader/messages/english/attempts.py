"""What a student reads first about an attempt: how far it is from all points, and what changed since the last one."""

from grader.messages.message import Message, message, plural

ATTEMPTS: dict[str, Message] = {
    # The heading
    "lead-complete": message("All points"),
    "lead-right": message("Right, and {points:.6g} more points to gain"),
    "lead-not-right": message("Not right yet: {points:.6g} more points to gain"),
    "lead-mistakes": plural(
        "count",
        "One mistake away from {points:.6g} more points",
        "{count} mistakes away from {points:.6g} more points",
    ),
    "lead-excused": message("Excused"),
    # What changed
    "progress": message("{parts}"),
    "progress-none": message("nothing that the result shows"),
    "progress-new": message("{kind:word}"),
    "progress-new-at": message("{kind:word} in line {line}"),
    "progress-gone": message("gone: {kind:word}"),
    "progress-stays": message("still: {kind:word}"),
    "progress-up": message("{points:.6g} points more"),
    "progress-down": message("{points:.6g} points less"),
}
