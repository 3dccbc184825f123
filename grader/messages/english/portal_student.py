"""The pages of students: labs, attempts, boards, and their own data."""

from grader.messages.message import Message, message, plural

PORTAL_STUDENT: dict[str, Message] = {
    "portal-moment": message("{at:moment}"),
    # My labs
    "portal-my-labs": message("My labs"),
    "portal-open-labs": message("Open labs"),
    "portal-no-open-labs": message("No lab is open now."),
    "portal-other-labs": message("Closed, or not open yet"),
    "portal-due-in": message("due in {left}"),
    "portal-hidden-short": message("result not shown yet"),
    "portal-nothing-submitted": message("Nothing submitted yet."),
    # A lab
    "portal-submit": message("Submit"),
    "portal-files": message("Files"),
    "portal-files-help": message(
        "Choose your files or drop them here: source files, or one zip or tar archive."
    ),
    "portal-paste": message("Paste the source code instead"),
    "portal-source": message("Source code"),
    "portal-submit-attempt": message("Submit attempt {number}"),
    "portal-not-accepted": message("No attempt is accepted now."),
    "portal-your-attempts": message("Your attempts"),
    "portal-how-counted": message("What counts"),
    "portal-handout": message("Handout"),
    "portal-starters": message("Start from:"),
    # An attempt
    "portal-attempt": message("Attempt"),
    "portal-attempt-number": message("Attempt {number}"),
    "portal-verdict": message("Verdict"),
    "portal-points": message("Points"),
    "portal-what-changed": message("What changed"),
    "portal-counts": message("counts"),
    "portal-received": message("Received"),
    "portal-being-graded": message("Waiting for the result"),
    "portal-submitted": message("submitted {at}"),
    "portal-late": message("{late} late"),
    "portal-state": message("State"),
    "portal-look-again": message("Look again"),
    "portal-withdraw": message("Withdraw"),
    "portal-one-thing": message("The one thing to fix"),
    "portal-first-thing": plural(
        "count", "The first thing to fix; {count} more below", "The first thing to fix; {count} more below"
    ),
    "portal-next-points": message("The next points"),
    "portal-to-add": message("to add"),
    "portal-wrong-elements": message("Case {name}, wrong elements in colour:"),
    "portal-what-it-earned": message("What it earned"),
    "portal-more": message("More"),
    "portal-whole-report": message("Whole report: every case, the source with figures, times"),
    "portal-download-file": message("Download {name}"),
    "portal-run-at-home": message("Run these inputs at home"),
    "portal-run-at-home-help": message("This command draws the inputs of this attempt again:"),
    "portal-command": message("grader check {file} --lab {lab} --seed {seed}"),
    "portal-command-case": message("--case {name}"),
    "portal-question": message("Question about the grade"),
    "portal-question-open": message("You asked staff, who have not answered yet:"),
    "portal-question-answered": message("You asked staff; the answer is with the result above:"),
    "portal-question-help": message("What should staff look at again?"),
    "portal-ask": message("Ask staff"),
    # Boards
    "portal-board": message("Board"),
}
