"""Why a file or a folder is not graded, and what a person who hands a class to the grader should know."""

from grader.messages.message import Message, message, plural

INTAKE: dict[str, Message] = {
    # Rejected submissions
    "submission-is-link": message("it is a link, and links are not followed; submit the file itself"),
    "submission-is-special": message("it is neither a file nor a folder; submit the file itself"),
    "submission-is-archive": message(
        "it is an archive, and archives are not opened; unpack it into a folder of this name"
    ),
    "submission-unreadable": message("the grader cannot read it: {error}"),
    "file-not-taken": message("this lab takes only {patterns}; submit such a file"),
    "no-file-taken": message(
        "this lab takes only {patterns}, which none of the files matches; put the kernels there"
    ),
    "no-kernel-file": message("it contains no {suffixes:or} file"),
    "only-archives": message(
        "it contains no {suffixes:or} file, and archives are not opened; unpack {archives:and}"
    ),
    "folders-too-deep": message("its folders are nested more than {limit} deep; submit fewer levels"),
    "too-many-entries": message("it holds more than {limit} files; submit only the kernels"),
    "too-many-sources": message("it has {count} source files; the limit is {limit}; merge or remove some"),
    "file-too-large": message("{file} is larger than the limit of {limit} KiB"),
    "sources-too-large": message("with {file} its source is larger than the limit of {limit} KiB"),
    "file-names-equal": message("two of its files have the same printable name; rename one of {files:and}"),
    "student-names-alike": message(
        "there are submissions under names that read alike: {names}; rename or remove some"
    ),
    "student-name-invisible": message("nothing of its name shows; rename it to the name of the student"),
    # Warnings
    "student-name-normalised": message(
        "{path}: its name has outer blanks, or characters that do not show or stand for others; the student is "
        "{student}"
    ),
    "student-names-look-alike": message(
        "{path}: these names look alike and are graded as different students: {names}; rename one if they are not"
    ),
    "submission-rejected": message("{path}: {reason}"),
    "link-ignored": message("{path} is a link, and links are not followed"),
    "special-file-ignored": message("{path} is neither a file nor a folder"),
    "archive-ignored": message("{path} is an archive, and archives are not opened"),
    "file-of-no-lab": message("{path} belongs to no lab"),
    "file-of-no-student": message("{path} belongs to no student"),
    "file-of-no-submission": message("{path} is not a source file of this submission"),
    "folder-of-no-lab": message("{path}: there is no lab of this name; the labs are: {labs}"),
    "folder-of-no-lab-similar": message(
        "{path}: there is no lab of this name; the most similar one is {similar}"
    ),
    "folder-of-broken-lab": message("{path}: the lab of this name is broken, so nothing in it is graded"),
    "folder-unreadable": message("{path} cannot be read: {error}"),
    "more-files-skipped": plural(
        "count", "{path}: {count} more such file was skipped", "{path}: {count} more such files were skipped"
    ),
    "maybe-second-submissions": message(
        "{path}: these may be second submissions of one student and are graded separately; "
        "delete outdated ones: {copies}"
    ),
    "file-beside": message("{file} beside {other}"),
    "newest-graded": message(
        "{path}, the newest, is graded for {student}, not {others:and} beside it; delete what is old"
    ),
    "only-taken-graded": message(
        "{path} is graded for {student}, not {others:and} beside it; delete what is old"
    ),
}
