"""Headings of tables, and the labels of sweeps, ladders, boards and differences."""

from grader.messages.message import Message, message, plural

FIGURES: dict[str, Message] = {
    # Columns
    "column-about": message("about"),
    "column-awaiting-review": message("awaiting review"),
    "column-bandwidth": message("bandwidth"),
    "column-baseline": message("baseline"),
    "column-because": message("because"),
    "column-best-rung": message("best rung"),
    "column-by": message("by"),
    "column-decision": message("decision"),
    "column-interval": message("interval"),
    "column-judgement": message("judgement"),
    "column-kernel": message("kernel"),
    "column-kernels": message("kernels"),
    "column-lab": message("lab"),
    "column-language": message("language"),
    "column-occupancy": message("occupancy"),
    "column-over": message("over {baseline}"),
    "column-points": message("points"),
    "column-proposed": message("proposed"),
    "column-public-name": message("public name"),
    "column-rank": message("rank"),
    "column-reason": message("reason"),
    "column-recomputed": message("recomputed"),
    "column-registers": message("regs"),
    "column-required": message("required"),
    "column-roofline": message("roofline"),
    "column-rung": message("rung"),
    "column-score": message("score"),
    "column-shared": message("shared"),
    "column-speedup": message("speedup"),
    "column-spilled": message("spilled"),
    "column-stored": message("stored"),
    "column-student": message("student"),
    "column-threads": message("threads"),
    "column-time": message("time"),
    "column-verdict": message("verdict"),
    "column-version": message("version"),
    "column-when": message("when"),
    "column-why": message("why"),
    # Cells
    "broken-lab": message("broken"),
    "best-value": message("best"),
    "verdict": message("{verdict:word}"),
    "fault": message("{verdict:word}: {reason}"),
    "not-timed-because": message("not timed: {reason}"),
    "count-of-kind": message("{count} {kind:word}"),
    "and-more": message("and {count} more"),
    # Cases
    "case-named": message("case {name}"),
    "case-with-sizes": message("case {name} ({sizes})"),
    # Sweeps
    "sweeps-of": message("Sweeps of {lab}"),
    "sweep-title": message("{kernel} over {over}, {timed}"),
    "plot-of-time": message("Time of {kernel} against {over}"),
    "plot-of-bandwidth": message("Bandwidth of {kernel} against {over}"),
    "axis-time": message("time, {kind:word}"),
    "axis-bandwidth": message("useful bandwidth"),
    "axis-registers": message("registers per thread"),
    "axis-spilled": message("bytes spilled per thread"),
    "sweep-value": message("{over} {value}: {figure}"),
    "sweep-registers": plural(
        "registers", "{point} with {registers} register", "{point} with {registers} registers"
    ),
    "sweep-spills": message("{point}, {size} spilled"),
    "sweep-fastest": message("fastest at {over} = {value}"),
    "sweep-highest-bandwidth": message("highest bandwidth at {over} = {value}"),
    "sweep-nothing-timed": message("no value has a time"),
    "ring-explained": message("The ring marks the best value."),
    "cross-explained": message("A cross marks a value without a result; the table gives the reason."),
    "all-values": message("All values"),
    "sweep-explained": message(
        "Registers and spilled bytes are per thread, shared memory is per block. Registers that do not fit spill to "
        "memory; from there on, more work per thread no longer pays off. The word after the occupancy names the "
        "resource that limits it."
    ),
    "times-of-kind": message("{kind:word} times"),
    "page-times-modelled": message(
        "Times on this page are modelled by the emulator's cost model, not measured."
    ),
    # Ladders
    "ladders-on": message("Ladders on {device}"),
    "commit": message("commit {commit}"),
    "commit-changed": message("commit {commit} with local changes"),
    "axis-speedup-over": message("{kind:word} speedup over {baseline}"),
    "axis-roofline-share": message("share of the roofline"),
    "rung-figure": message("{kernel} of {rung} in {language}: {figure}"),
    "rung-share": message("{figure}, {share} of the roofline"),
    "no-time": message("no time"),
    "rung-without-time": message("{rung} ({kernel}, {language}) has no time: {reason}"),
    "ladder-explained": message(
        "The dashed lines mark the baseline's speed and the full roofline. The roofline assumes a kernel that moves "
        "each byte of its arrays once; a share above 100 % means that the arrays fit in a cache. Registers are per "
        "thread, shared memory is per block."
    ),
    # Calibrations
    "no-thresholds": message("no speed rule could be judged"),
    "kernel-over": message("{kernel} over {reference}"),
    "the-roofline": message("the roofline"),
    "calibration-unchanged": message("No speedup has changed beyond its interval."),
    "calibration-lacks-lab": message("{lab}: the earlier calibration has no times of this lab."),
    "calibration-lab-changed": message("{lab}: its files have changed since the earlier calibration."),
    "calibration-moved": message("{lab}: {kernel} of {rung} ({language}): {before} before, {now} now."),
    # Differences
    "gradings-agree": message("Both gradings agree."),
    "results-differ": plural(
        "count", "{count} result differs: {changes}", "{count} results differ: {changes}"
    ),
    # Tools of a GPU
    "counts-beside-gpu": message("the emulator's counts, each followed by the GPU's"),
    "sanitizer-clean": message("compute-sanitizer reports no errors."),
    "sanitizer-found": message("compute-sanitizer reports:"),
}
