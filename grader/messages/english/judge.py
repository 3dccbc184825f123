"""Statements about outputs, points and speed: why something is right, wrong, slow or flagged."""

from grader.messages.message import Message, message, plural

JUDGE: dict[str, Message] = {
    # Outputs
    "case-right": message("right"),
    "output-incomplete": plural(
        "count",
        "{buffer} came back with {count:,} byte instead of {expected:,}",
        "{buffer} came back with {count:,} bytes instead of {expected:,}",
    ),
    "output-never-written": plural(
        "count",
        "{count:,} of {size:,} elements of {buffer} was never written: {element}",
        "{count:,} of {size:,} elements of {buffer} were never written, the first is {element}",
    ),
    "output-read-first": plural(
        "count",
        "{count:,} of {size:,} elements of {buffer} is not a number: the kernel computed {element} from what the memory"
        " held before its first write",
        "{count:,} of {size:,} elements of {buffer} are not numbers: the kernel computed them from what the memory held"
        " before its first write, the first is {element}",
    ),
    "output-partly-written": plural(
        "count",
        "{count:,} of {size:,} elements of {buffer} is wrong; {element} is {got}, expected {want}; never written: "
        "{unwritten:,}",
        "{count:,} of {size:,} elements of {buffer} are wrong; {element} is {got}, expected {want}; never written: "
        "{unwritten:,}",
    ),
    "output-wrong": plural(
        "count",
        "{count:,} of {size:,} elements of {buffer} is wrong; {element} is {got}, expected {want}",
        "{count:,} of {size:,} elements of {buffer} are wrong; {element} is {got}, expected {want}",
    ),
    "output-improbable": plural(
        "count",
        "{count:,} of {size:,} elements of {buffer} is improbable; {element} is {got}, expected {want} ± {allowed}, "
        "which a right kernel misses with probability {chance}",
        "{count:,} of {size:,} elements of {buffer} are improbable; {element} is {got}, expected {want} ± {allowed}, "
        "which a right kernel misses with probability {chance}",
    ),
    "output-unexpected": plural(
        "count",
        "{count:,} of {size:,} elements of {buffer}, which may come in any order, is not expected; {element} is "
        "{got}, and {want} is missing",
        "{count:,} of {size:,} elements of {buffer}, which may come in any order, are not expected; {element} is "
        "{got}, and {want} is missing",
    ),
    "lab-check-failed": message("the lab's check of the outputs fails: {problem}"),
    "output-beyond-tolerance": plural(
        "count",
        "{count:,} of {size:,} elements of {buffer} is wrong; {element} is {got}, expected {want} (allowed error "
        "{allowed})",
        "{count:,} of {size:,} elements of {buffer} are wrong; {element} is {got}, expected {want} (allowed error "
        "{allowed})",
    ),
    # Findings that decide a verdict
    "finding-at-line": message("{location}: {message}"),
    "finding-at-line-to-fix": message("{location}: {message}; {advice}"),
    "finding-to-fix": message("{message}; {advice}"),
    "cause-and-symptom": message("{cause} ({symptom})"),
    # Agreement of the lab's kernels
    "kernels-agree": message("all kernels give the same results"),
    "kernels-disagree": message("{first} and {second} give different results for {buffer} in case {case}"),
    "agreement-needs-right-kernels": message(
        "not judged: {kernel} is wrong, and only right kernels are compared for points"
    ),
    "agreement-not-judged": message("not judged: every kernel must finish every case first"),
    # Points
    "points-that-wait": plural(
        "count",
        "{score:g} of the {earnable:g} points that can be earned without a GPU; {waiting:g} point for speed waits for "
        "one",
        "{score:g} of the {earnable:g} points that can be earned without a GPU; {waiting:g} points for speed wait for "
        "one",
    ),
    "next-step": plural(
        "count",
        "next, {points:g} more point: {title}: {reason}",
        "next, up to {points:g} more points: {title}: {reason}",
    ),
    # Lines of the rubric
    "parts-that-wait": plural("count", "{count} further line", "{count} further lines"),
    "parts-need-right-kernels": message("not judged until every kernel passes all cases"),
    "part-correctness": message("correctness of {kernel}"),
    "part-agreement": message("agreement"),
    "part-uses-shared-memory": message("{kernel} uses shared memory"),
    "part-uses-no-shared-memory": message("{kernel} uses no shared memory"),
    "part-has-no-bank-conflicts": message("{kernel} has no bank conflicts"),
    "part-is-coalesced": message("{kernel} accesses global memory coalesced"),
    "part-baseline": message("the baseline"),
    "part-roofline": message("{kernel} at least {share} of the roofline"),
    "part-speed": message("{kernel} at least {targets:or} times as fast as {rung}"),
    "part-speed-line": message("{kernel} from {first} to {last} times as fast as {rung}"),
    # Technique
    "technique-used": message("yes"),
    "technique-needs-right-kernel": message("not judged: the kernel must pass all cases first"),
    "technique-not-observed": message(
        "not judged: the kernel did not finish on the emulator, which counts its accesses"
    ),
    "has-no-shared-memory": message("it has no shared memory"),
    "shared-memory-never-accessed": message("it never accesses shared memory"),
    "uses-shared-memory": plural(
        "count", "it uses {count:,} byte of shared memory", "it uses {count:,} bytes of shared memory"
    ),
    "has-bank-conflicts": message(
        "{location}: shared memory takes {ratio:.1f} times as long as it could, because several threads of a warp "
        "access the same bank"
    ),
    "loads-past-shared-memory": message(
        "{location}: the results are made of these loads past shared memory; only {share:.0f} % of the loaded bytes "
        "pass through it, {least:.0f} % needed"
    ),
    "shared-memory-not-exchanged": message(
        "{location}: no thread reads what another thread stores in shared memory here for its results"
    ),
    "little-through-shared-memory": message(
        "threads read only {exchanged:,} bytes of each other through shared memory for {loaded:,} bytes of global "
        "memory, and do not combine parts of a result in it"
    ),
    "nothing-gained-by-shared-memory": message(
        "shared memory saves no loads: threads read what passes through it {reads:.1f} times, and to load it "
        "themselves warps would move {gathered:,} sectors of global memory, and they move {fetched:,} now"
    ),
    "loads-in-vain": message(
        "{location}: of the bytes that loads of {array} move, only {share:.0f} % are used, {least:.0f} % needed"
    ),
    "stores-in-vain": message(
        "{location}: of the bytes that stores to {array} move, only {share:.0f} % are written, {least:.0f} % needed"
    ),
    # Speed
    "speed": message("{reached}; {points}"),
    "times": message("{value:.2f}×"),
    "percent": message("{value:.1f} %"),
    "speedup-reached": message("{ratio} [{low}, {high}] {kind:word}"),
    "speedup-reached-exactly": message("{ratio} {kind:word}"),
    "share-reached": message("reaches {ratio} of {rung} [{low}, {high}] {kind:word}"),
    "share-reached-exactly": message("reaches {ratio} of {rung} {kind:word}"),
    "roofline-share-reached": message("reaches {ratio} of the roofline [{low}, {high}] {kind:word}"),
    "roofline-share-reached-exactly": message("reaches {ratio} of the roofline {kind:word}"),
    "speed-all-points": plural("count", "all {points:g} point", "all {points:g} points"),
    "speed-all-points-within-noise": plural(
        "count",
        "all {points:g} point, as {target} cannot be ruled out",
        "all {points:g} points, as {target} cannot be ruled out",
    ),
    "speed-first-tier": plural(
        "count", "{target} needed for {points:g} point", "{target} needed for {points:g} points"
    ),
    "speed-next-tier": plural(
        "count",
        "{earned:g} of {total:g} points; {target} needed for {points:g} more point",
        "{earned:g} of {total:g} points; {target} needed for {points:g} more points",
    ),
    "speed-below-line": plural(
        "count",
        "0 of {points:g} point; more above {first}, all from {last}",
        "0 of {points:g} points; more above {first}, all from {last}",
    ),
    "speed-on-line": plural(
        "count",
        "{earned:g} of {points:g} point; all from {last}",
        "{earned:g} of {points:g} points; all from {last}",
    ),
    "speed-on-line-within-noise": plural(
        "count",
        "{earned:g} of {points:g} point, counted at {bound}; all from {last}",
        "{earned:g} of {points:g} points, counted at {bound}; all from {last}",
    ),
    "speed-must-be-measured": message("{target} needed; modelled speedups earn no points here"),
    "speed-needs-right-kernel": message("not timed: the kernel must pass all cases first"),
    "roofline-share-unknown": message("not judged: the share of the roofline is unknown"),
    # Plausibility of times
    "exceeds-wall-clock": message(
        "its times and the reference's add up to {ratio:.2f} times the wall-clock time of the measurement"
    ),
    "faster-than-memory": message("{ratio:.2f} times faster than {device} can read its inputs"),
    "reads-clock": message(
        "{location}: it reads a clock or its launch number, so it can detect when it is timed"
    ),
    "clock-reading": message(
        "it reads a clock or its launch number, so a speed measured on a GPU counts only after staff review"
    ),
    "clock-reading-advice": message(
        "remove clock() or the like before you submit, because the grader times your kernel; if your code has none, "
        "a function that you call reads it: cuda::barrier, and a cuda::pipeline that a block shares, read a clock "
        "while they wait"
    ),
}
