"""Labels, headings and figures of reports, pages and feedback."""

from grader.messages.message import Message, message, plural

REPORT: dict[str, Message] = {
    "feedback-for": message("Feedback for {student}"),
    "feedback-as-of": message("as of {moment}"),
    "feedback-modelled": message("Times and speedups are modelled by the emulator, not measured."),
    "feedback-nothing": message("No submission is graded yet."),
    "feedback-points": message("{score} of {most} points"),
    "feedback-no-grade": message("no grade, which is no zero"),
    "feedback-submissions": message("Submissions"),
    "feedback-lab": message("Lab"),
    "feedback-verdict": message("Verdict"),
    "feedback-rubric": message("Points"),
    "feedback-part": message("Part"),
    "feedback-reason": message("Reason"),
    "feedback-times": message("Times"),
    "feedback-kernel": message("Kernel"),
    "feedback-time": message("Time"),
    "feedback-speedup": message("Speedup"),
    "feedback-not-timed": message("not timed"),
    "feedback-over": message("over {baseline}"),
    "feedback-findings": message("Findings"),
    "feedback-cases": message("Cases"),
    "feedback-case": message("Case"),
    "feedback-output": message("Program output"),
    "feedback-more-lines": plural("count", "… and {count:,} more line", "… and {count:,} more lines"),
    "finding-try": message("try:"),
    "finding-see-also": message("see also"),
    "finding-times": plural("count", "{count:,} time", "{count:,} times"),
    "finding-threads": plural("count", "in {count:,} thread", "in {count:,} threads"),
    "source-line": message("line"),
    "source-skipped": plural("count", "{count:,} line not shown", "{count:,} lines not shown"),
    "tag-race-here": message("one access of the race"),
    "tag-race-there": message("the other access of the race"),
    "tag-exchange-here": message("one access of the exchange"),
    "tag-exchange-there": message("the other access of the exchange"),
    "tag-barrier-here": message("some threads wait here"),
    "tag-barrier-there": message("other threads take another path here"),
    "tag-wait-here": message("waits here"),
    "tag-wait-there": message("for this"),
    "tag-here": message("reported here"),
    "tag-there": message("also involved"),
    "map-caption": message("{parts}"),
    "map-of": message("wrong elements of {array}"),
    "map-plane": message("plane {plane}"),
    "map-rows": message("in rows of {length}"),
    "map-scale": message("a mark is {rows} × {columns} elements"),
    "map-wrong": message("wrong"),
    "map-few": message("a few wrong"),
    "map-unwritten": message("never written"),
    "map-right": message("right"),
    "speedup-over": message("{speedup} over {baseline}"),
    "speedup-of-kind": message("{speedup} {kind:word}"),
    "ran-on": message("{engine:word} engine, {device}"),
    "in-sandbox": message("in the {sandbox} sandbox"),
    "seconds-used": message("used {used:.3g} s of {limit:g} s"),
    "in-sandbox-trusted": message("in the {sandbox} sandbox, trusted"),
    "cases-accepted": message("{accepted} of {total} cases accepted"),
    "cases-accepted-named": message("{accepted} of {total} cases accepted: {names}"),
    "case-hidden": message("{name} (hidden)"),
    "no-figures": message("No kernel finished on the emulator, so there are no figures for lines."),
    "resources": message(
        "{registers} registers, {spills}, {shared}; occupancy {occupancy}, limited by {limiter:word}"
    ),
    "resources-with-advice": message("{resources}: {advice}"),
    "spilled": message("{size} spilled"),
    "no-spills": message("no spills"),
    "shared-memory": message("{size} shared memory"),
    "no-shared-memory": message("no shared memory"),
    "occupancy-note": plural(
        "warps",
        "occupancy: {warps} warp on an SM; {advice}",
        "occupancy: {warps} warps on an SM; {advice}",
    ),
    "roofline": message("roofline: {reason}"),
    "latency": message("latency: {reason}"),
    "no-arithmetic": message("no arithmetic, only data movement"),
    "no-arithmetic-rate": message(
        "no arithmetic, only data movement: {rate} {kind:word}, {share} of the memory bandwidth of {bandwidth}"
    ),
    "roofline-intensity": message("{intensity} {operations} per byte moved (at best {best})"),
    "roofline-limit": message("{moved}; the {limit:word} limit of {bound} applies"),
    "roofline-reached": message("{moved}; {rate} {kind:word}, {share} of the {limit:word} limit of {bound}"),
    "roofline-caches": message("{reason}; above 100 % because caches serve part of the data"),
    "warps-needed": message(
        "a warp issues {instructions} instructions per load; hiding {latency} clock cycles takes {needed} warps "
        "per SM "
        "({latency} / ({clocks} × {instructions}) + 1)"
    ),
    "warps-enough": message("{needed}; {there} fit: enough"),
    "warps-too-few": message("{needed}; {there} fit: too few"),
    "warps-beyond-sm": message(
        "{needed}; {there} fit, an SM holds at most {most}: issue more instructions between loads, or several "
        "loads at "
        "once"
    ),
    "decision": message("{decision:word} by {reviewer} on {day}"),
    "because": message("{reason}: {why}"),
    "staff": message("staff"),
    "column-executed": message("executed"),
    "column-idle": message("idle"),
    "column-sectors": message("sectors"),
    "column-conflicts": message("conflicts"),
    "column-atomics": message("atomics"),
    "work-instructions": message("warp instructions"),
    "work-sectors": message("global-memory sectors"),
    "work-passes": message("shared-memory passes"),
    "heading-build-messages": message("Build messages"),
    "heading-rubric": message("Rubric"),
    "map-case": message("{map}, case {name}"),
    "column-executed-summary": message("Warp instructions"),
    "column-executed-meaning": message(
        "warp instructions that the line executed; shaded by its share of the kernel's total"
    ),
    "column-idle-summary": message("Idle lanes"),
    "column-idle-meaning": message(
        "share of a warp's 32 lanes that were inactive: branches that only some lanes take, or threads without "
        "work; shaded by the loss to the whole kernel"
    ),
    "column-sectors-summary": message("Sectors per access"),
    "column-sectors-meaning": message(
        "32-byte sectors of global memory per access of a warp: touched / fewest possible"
    ),
    "column-conflicts-summary": message("Bank conflicts"),
    "column-conflicts-meaning": message(
        "how many times longer an access to shared memory took because lanes used the same bank; 1× means no conflicts"
    ),
    "column-atomics-summary": message("Atomic passes"),
    "column-atomics-meaning": message(
        "how many lanes of a warp an atomic served one after the other because they updated one address"
    ),
    "heading-kernels": message("Kernels"),
    "heading-roofline": message("Roofline"),
    "heading-bar": message("Bar"),
    "back-to-top": message("Back to the top"),
    "roofline-legend": message(
        "Filled marks are submitted kernels; hollow marks are the rungs of the lab that they were timed "
        "against. Left of the ridge, memory bandwidth is the limit; right of it, arithmetic. Above the "
        "slope, caches serve part of the data."
    ),
    "heading-registers": message("Registers"),
    "heading-spilled": message("Spilled"),
    "heading-shared-memory": message("Shared memory"),
    "heading-occupancy": message("Occupancy"),
    "limited-by": message("limited by {limiter:word}"),
    "heading-visibility": message("Visibility"),
    "heading-work": message("Work by line"),
    "heading-source": message("Source, line by line"),
    "columns-mean": message("what the columns mean"),
    "heading-columns": message("What the columns mean"),
    "columns-explained": message(
        "The figures beside a source line come from one run of the kernel on the emulator, on the largest "
        "public case. The darker the shade, the more a figure matters. An empty cell means that the line "
        "has no such operation."
    ),
    "shade-work": message("blue: where the work is"),
    "shade-cost": message("amber: cost that can be avoided"),
    "other-lines": message("other lines"),
    "class": message("Class"),
    "heading-report": message("Report"),
    "heading-reports": message("Reports"),
    "heading-results": message("Grader results"),
    "whole-file": plural("count", "{name}, its only line", "{name}, all {count} lines"),
    "submissions-count": plural("count", "{count} submission", "{count} submissions"),
}
