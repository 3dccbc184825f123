"""What commands say about their work, beside the reports that they show."""

from grader.messages.message import Message, message, plural

COMMANDS: dict[str, Message] = {
    "lab-written": message(
        "wrote {folder} and {reference}; change them into your lab, and run `grader labs validate {lab}` now and then"
    ),
    # Files
    "written": message("Written: {file}"),
    "written-together": message("Written: {files}"),
    "written-files": plural(
        "count", "Written: {count} file in {folder}", "Written: {count} files in {folder}"
    ),
    "file-warning": message("{warning}."),
    "no-copy-of-file": message(
        "The store has no copy of {file}, so its lines are not shown. Grade it again to keep one."
    ),
    "lab-copied": message("{title}: {files} are in {folder}"),
    "fill-in": message("Fill in {file}, then run: {command}"),
    # Long steps
    "preparing-emulator": message("Preparing the emulator, once for this version, in about 15 seconds …"),
    "trying-languages": message("trying each language …"),
    "checking": message("checking {file} …"),
    "profiling": message("profiling {file} …"),
    "compiling": message("compiling {file} …"),
    "validating": message("validating …"),
    "timing": message("timing …"),
    "timing-labs": message("timing: {done} of {total} labs are done …"),
    "sweeping": message("sweeping {over} …"),
    "sweeping-done": message("sweeping {over}: {value} is done …"),
    # Where and how something runs
    "using-emulator": message("Using the emulator: {why}"),
    "not-profiled": message("{file} could not be profiled: {why}"),
    "tools-unconfined": message(
        "The tools run outside of any sandbox, so profile nobody's code but your own: {why}"
    ),
    "lab-skipped": message("lab {lab} is broken and skipped: {why}"),
    "only-these-cases": message("Only {cases:and} ran, so these are not the points of the whole lab."),
    "inputs-of-seed": message("The inputs are those of {option}."),
    # A run over a class
    "on-emulator": message("on the emulator (as a {device}; speedups are modelled)"),
    "on-device": message("on {device}"),
    "alike-graded-once": plural(
        "count",
        "{count} of them has the content of another one and is not run.",
        "{count} of them have the content of another one and are not run.",
    ),
    "to-grade": message("{count} to grade {where}, {isolation}"),
    "unchanged-and": message("{count} unchanged since they were last graded, {rest}"),
    "waits-for-review": plural(
        "count",
        "{count} submission waits for review by staff: see {command}.",
        "{count} submissions wait for review by staff: see {command}.",
    ),
    "files-hold-course": plural(
        "count",
        "Files in {folder} hold all results of the course: {count} result.",
        "Files in {folder} hold all results of the course: {count} results.",
    ),
    "graded-elsewhere": plural(
        "count",
        "{count} submission was graded by another grader on the same store.",
        "{count} submissions were graded by another grader on the same store.",
    ),
    "results-pruned": plural(
        "count",
        "{count} older result was removed from the store, as [store] keep asks.",
        "{count} older results were removed from the store, as [store] keep asks.",
    ),
    "run-stopped": message("stopped: {graded} graded, {left} left; run again to continue"),
    # Scores and causes
    "rescored": message("{lab}: {count} rescored, {why}"),
    "would-be-rescored": message("{lab}: {count} would be rescored, {why}"),
    "to-grade-again": message("{lab}: {count} to grade again, {why}"),
    "cause-no-lab": message("there is no lab of this name"),
    "cause-tools": message("Grader, its compilers or its limits changed"),
    "cause-rubric": message("its points changed"),
    "cause-lab": message("the lab changed"),
    "cause-parts": message("its {parts:and} changed"),
    "rescore-unchanged": plural(
        "count",
        "{count} result has the score that its rubric gives.",
        "{count} results have the score that their rubric gives.",
    ),
    "no-speedups": message("No accepted submission has a speedup yet."),
    "see-whole-board": message("To see a whole board, name its lab: {command}."),
    "left-out": plural(
        "count",
        "{count} submission that was graded before its lab changed is left out. To include it, grade again.",
        "{count} submissions that were graded before their lab changed are left out. To include them, grade again.",
    ),
    "speedups-match": message("{right} of {total} stored speedups match their stored samples."),
    "no-samples": message("no samples stored"),
    # Decisions
    "decide-with": message("Decide with {command}."),
    "nothing-to-review": message("No submission waits for review."),
    "nothing-decided": message("Staff decided nothing yet."),
    "not-reviewed": message("not reviewed yet"),
    "student-on-lab": message("{student} on {lab}: {what}"),
    "counts-as-graded": message("counts as graded"),
    "student-excused": message("{student} is excused from {lab}."),
    "student-not-excused": message("{student} is no longer excused from {lab}."),
    "decided-flag": message("{decision:word}"),
    "points-in-words": plural("count", "{points:g} point", "{points:g} points"),
    "decided-verdict": message("verdict: {verdict:word}"),
    "decided-changes": message("{changes}"),
    "decided-withdrawn": message("withdrawn"),
    # The store
    "results-count": plural("count", "{count} result", "{count} results"),
    "decisions-count": plural("count", "{count} decision", "{count} decisions"),
    "backup-holds": message("{file}: {content:and}"),
    "backup-restored": message("Restored from {moment}: {content:and}"),
    "student-removed": message("Removed {student}: {results}"),
    "student-removed-lab": message("Removed {student} for {lab}: {results}"),
}
