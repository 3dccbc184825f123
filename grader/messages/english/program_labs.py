"""What is said of whole programs that a lab asks for: their builds, answers, structure."""

from grader.messages.message import Message, message, plural

PROGRAM_LABS: dict[str, Message] = {
    # Builds
    "program-does-not-compile": message("the program does not compile"),
    "program-lacks": message("the program calls {names:and}, and neither it nor this runtime defines them"),
    "program-lacks-function": message(
        "the program has no function `{signature}`; write it with exactly these types"
    ),
    "program-compiles-too-long": plural(
        "seconds",
        "the program does not compile within {seconds} second",
        "the program does not compile within {seconds} seconds",
    ),
    "kernels-not-assembled": message("the program's kernels cannot be assembled: {reason}"),
    "program-language-unknown": message("programs in {language} cannot be graded; submit CUDA C++ or Numba"),
    "program-lacks-python-function": message(
        "the program has no function `{signature}` at its top level; write it with exactly these parameters"
    ),
    "program-main-unclear": message(
        'it is not clear which of {files:and} to run; write `if __name__ == "__main__":` in one of them'
    ),
    # Answers
    "program-left": message("the program ended before it gave its answer"),
    "program-answer-invalid": message("the program sent something else than its answer"),
    "program-breaks-protocol": message("the program sent what no call of the runtime sends"),
    "program-timed-out": message("the program did not end within {seconds:g} s"),
    "program-crashed": message("the program crashed with signal {signal}"),
    "program-exit-code": message("the program ended with exit code {code}, which says that it failed"),
    "program-raises": message("the program ends by an exception: {error}"),
    "function-reports-failure": message("{function} returned {status}, which says that it failed"),
    "answer-file-missing": message("the program wrote no file {file}"),
    "answer-line-missing": message("the program printed no line of the form `{line}`"),
    "answer-line-repeated": plural(
        "count",
        "the program printed {count} line of the form `{line}`; print one",
        "the program printed {count} lines of the form `{line}`; print one",
    ),
    "answer-number-invalid": message("the program printed a number for {name} that is no {type}"),
    "no-kernel-launched": message(
        "the answer is right, but the program launched no kernel; compute it on the device"
    ),
    "main-may-run": message("Only its kernels were graded. `grader run {file}` runs the whole program."),
    "host-work-uncounted": message(
        "while the function runs, the program computes much more on the processor than its own thread counts; its time "
        "is not the modelled one"
    ),
    # Figures
    "program-figures": message(
        "{copied_in} to the device, {copied_out} back, {pinned} of it in pinned memory; launches: {launches:,}, "
        "waits: {waits:,}; copies run during {overlap} of the kernels' time"
    ),
    "timeline-cut": message("the first {shown:,} of {total:,} activities"),
    # Structure
    "part-pinned": message("copies pinned memory"),
    "part-copied-once": message("copies each array once"),
    "part-overlap": message("copies while kernels run"),
    "part-synchronisations": message("waits only where it must"),
    "part-no-leak": message("releases all memory"),
    "part-errors-checked": message("checks errors"),
    "structure-needs-right-program": message("not judged: the program must pass all cases first"),
    "structure-pinned": message("{share:.0f} % of the copied bytes are in pinned memory"),
    "structure-pageable": message(
        "{share:.0f} % of the copied bytes are in pinned memory, and {least:.0f} % are needed; {location} copies most "
        "of the others: allocate that memory with cudaMallocHost"
    ),
    "structure-copied-once": message("{copied_in:,} bytes to the device, {copied_out:,} bytes back"),
    "structure-copied-again": plural(
        "count",
        "{copied:,} byte copied, {needed:,} of {what:word} needed; copy each array once ({location} copies most)",
        "{copied:,} bytes copied, {needed:,} of {what:word} needed; copy each array once ({location} copies most)",
    ),
    "structure-copied-less": plural(
        "count",
        "{copied:,} byte copied, {needed:,} of {what:word} needed; the device must get the data and return the result",
        "{copied:,} bytes copied, {needed:,} of {what:word} needed; the device must get the data and return the result",
    ),
    "structure-overlap": message("copies run during {share:.0f} % of the kernels' time"),
    "structure-little-overlap": message(
        "copies run during {share:.0f} % of the kernels' time, and {least:.0f} % are needed; divide the data, and copy "
        "and compute the pieces in streams of their own with cudaMemcpyAsync and pinned memory"
    ),
    "structure-waits": plural("count", "{count} wait", "{count} waits"),
    "structure-many-waits": plural(
        "count",
        "{count} wait, and at most {most} may be; cudaMemcpy and work of one stream need none",
        "{count} waits, and at most {most} may be; cudaMemcpy and work of one stream need none",
    ),
    "structure-no-leak": message("nothing is left at the end"),
    "structure-checked": message("the program noticed {noticed} of {total} calls that were made to fail"),
    "structure-unchecked": message(
        "the program noticed {noticed} of {total} calls that were made to fail; it does not notice that {name} fails "
        "at {location}: compare what it returns with cudaSuccess, and return an error"
    ),
}
