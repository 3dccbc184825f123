"""Headings, labels and explanations of HTML pages."""

from grader.messages.message import Message, message, plural

PAGES: dict[str, Message] = {
    "class-results": message("Class results"),
    "class-empty": message("No submissions are graded yet. Grade them with: {command}"),
    "trusted": plural(
        "count",
        "{count} submission was declared trusted and ran in the {sandboxes:and} sandbox.",
        "{count} submissions were declared trusted and ran in the {sandboxes:and} sandbox.",
    ),
    "find-student": message("Find a student"),
    "all-labs": message("All labs"),
    "all-verdicts": message("All"),
    "missing": message("missing"),
    "students-shown": message("students shown:"),
    "best-speedups": message("best speedups, {kinds:and}"),
    "kind": message("{kind:word}"),
    "scores-of-all": message("Scores of every student in every lab"),
    "student": message("Student"),
    "sum": message("Sum"),
    "of-points": message("of {most}"),
    "median": message("median {points}"),
    "median-of": message("median {points} of {most} points"),
    "number-alone": message("A number alone is an accepted submission."),
    "no-submission": message("no submission"),
    "cell-review": message("review"),
    "cell-wrong": message("wrong"),
    "cell-limit": message("limit"),
    "cell-time": message("time"),
    "cell-crash": message("crash"),
    "cell-build": message("build"),
    "cell-no-grade": message("no grade"),
    "changed-by-staff": message("changed by staff"),
    "not-accepted": message("Not accepted"),
    "with-reasons": plural(
        "count", "{count:,} submission with its reason", "{count:,} submissions with their reasons"
    ),
    "labs": message("Labs"),
    "labs-explained": message(
        "How many submissions reach each tenth of the points, in percent; the last bar is full points. Submissions "
        "that are not gradable have no points and are left out."
    ),
    "rubric-lines": message("Lines of the rubric"),
    "heading-median": message("Median"),
    "full": message("full"),
    "bin-full": message("{count} with full points"),
    "bin": message("{count} from {percent} %"),
    "no-points": message("no points"),
    "leaderboards": message("Leaderboards"),
    "all-ranks": message("All ranks"),
    "boards-explained": message(
        "Each student's best accepted speedup over the baseline in the same language. An entry shares a rank if its "
        "interval overlaps that of the fastest entry of the rank (=)."
    ),
    "fastest": message("Fastest submissions"),
    "modelled-explained": message(
        "A modelled speedup comes from the emulator's cost model, not from a measurement."
    ),
    "boards-private": message("This page shows real names: do not publish it."),
    "boards-public": message("For a page with the names that students chose: {command}"),
    "first-ranks": message("Each board shows the first {count}."),
    "board-version": message("version {version}"),
    "board-speedups": message("{kind:word} speedups"),
    "rank": message("Rank"),
    "roofline-of": message("Roofline of {arithmetic}"),
    "roofline-memory": message("memory {bandwidth}"),
    "roofline-peak": message("peak {rate}"),
    "roofline-ridge": message("ridge {intensity}"),
    "roofline-axis": message("{operations:word} per byte of global memory moved"),
    "roofline-device": message(
        "The device moves {bandwidth} and computes {peak}; the ridge is at {ridge} {operations:word} per byte."
    ),
    "roofline-mark": message("{name}: {intensity} {operations:word} per byte, {rate}"),
    "roofline-kernel": message("Kernel {mark}."),
    "roofline-rung": message("Rung {mark}."),
}
