"""What is in an archive that a course downloaded, and why something in it is no submission."""

from grader.messages.message import Message, message, plural

ARCHIVES: dict[str, Message] = {
    # What shows the system
    "archive-has-name": message("it has {name}"),
    "archive-of-no-system": message("nothing in it is one system's alone"),
    "archive-as-asked": message("as asked"),
    # Why an entry is left aside
    "entry-of-operating-system": message("an operating system or an editor made it"),
    "entry-hidden": message("its name begins with a dot"),
    "entry-leads-outside": message("its name leads out of the archive"),
    "entry-is-link": message("it is a link, and links are not followed"),
    "entry-is-special": message("it is neither a file nor a folder"),
    "entry-encrypted": message("it is encrypted; ask for it without a password"),
    "entry-compression-unknown": message("it is compressed by a method other than deflate"),
    "entry-replaced": message("a later entry has the same name"),
    "entry-of-no-submission": message("its name is not of the form that {system} gives to a submission"),
    "entry-of-no-checkout": message("it lies in no checkout"),
    "entry-of-no-student": message("it is neither source code nor a folder of a student"),
    "entry-beside-labs": message("it lies beside the folders of labs"),
    # Archives inside
    "archive-in-archive": message(
        "it is an archive inside a submitted archive, and only one level is opened"
    ),
    "archive-damaged": message("it is no zip file, or not a whole one"),
    "tar-damaged": message("it is no tar file, or not a whole one"),
    "archive-too-large": message("it is an archive of more than {limit} MiB"),
    "archive-unpacks-too-large": message(
        "it unpacks to more than {limit} MiB, or is compressed suspiciously well"
    ),
    # Text
    "text-beside-files": message("it was typed beside source files, which count"),
    "text-without-kernel": message(
        "it was typed and holds no kernel: {marks:or} does not occur in it, or both do"
    ),
    # Systems
    "moodle-plugin-ignored": message("Moodle's {plugin} is neither a file nor online text"),
    "moodle-text-attachment": message("it was pasted into online text"),
    "canvas-link-ignored": message("it is a web address; ask for the files"),
    "brightspace-index": message("Brightspace's own list"),
    "gradescope-not-listed": message("submission_metadata.yml does not list it"),
    "gradescope-without-files": message("submission_metadata.yml lists it, and there are no files"),
    "gradescope-without-submitters": message("submission_metadata.yml names nobody who submitted it"),
    "gradescope-history": plural(
        "count",
        "Gradescope lists {count} other submission, without its files",
        "Gradescope lists {count} other submissions, without their files",
    ),
    "gradescope-older-active": plural(
        "count",
        "the student chose this submission although {count} is newer",
        "the student chose this submission although {count} are newer",
    ),
}
