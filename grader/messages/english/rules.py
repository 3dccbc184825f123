"""The rules of a course, and why a grade is what it is."""

from grader.messages.message import Message, message, plural

_ATTEMPT = "attempt {number} of {total}, submitted {at:moment}, "
_SCORED = ": {points:.6g} of {max:.6g} points"

RULES: dict[str, Message] = {
    # The sentence about a student and lab
    "rule-and": message("{first} · {rest}"),
    "rule-open": message("Open"),
    "rule-late": message("Late"),
    "rule-opens": message("Opens {at:moment}"),
    "rule-closed": message("Closed since {since:moment}"),
    "rule-excused": message("Excused{note}"),
    "rule-credits": message("{credits}"),
    "rule-extension": message("extension{note}"),
    "rule-note": message(" ({text})"),
    "rule-note-by-because": message(" ({by}: {why})"),
    "rule-attempts-left": plural("count", "{count} attempt left", "{count} attempts left"),
    "rule-no-attempts-left": message("no attempts left"),
    "rule-next-attempt": message("next attempt {at:moment}"),
    "rule-late-days-left": plural("count", "{count} late day left", "{count} late days left"),
    "rule-late-days-spent": plural("count", "{count} late day spent", "{count} late days spent"),
    "credit-full": message("full credit"),
    "credit-full-until": message("full credit until {until:moment}"),
    "credit-percent": message("{percent:.6g} %"),
    "credit-until": message("{credit} until {until:moment}"),
    "credit-after-that": message("{credit} after that"),
    "credit-then": message("then {less} {every}"),
    "credit-then-until": message("then {less} {every} until {until:moment}"),
    "percent-less": message("{percent:.6g} % less"),
    "percent-of-maximum-less": message("{percent:.6g} % of the maximum less"),
    "points-less": plural("count", "{points:.6g} point less", "{points:.6g} points less"),
    "each-minute": plural("count", "a minute", "every {count} minutes"),
    "each-hour": plural("count", "an hour", "every {count} hours"),
    "each-day": plural("count", "a day", "every {count} days"),
    "each-week": plural("count", "a week", "every {count} weeks"),
    "elapsed-days": message("{days} d {hours} h"),
    "elapsed-hours": message("{hours} h {minutes} min"),
    "elapsed-minutes": message("{minutes} min"),
    # What `grader course` says
    "course-written": message("Wrote {file}. Fill in the dates, then run `grader course check`."),
    "course-checked": plural("count", "{file} is valid: {count} lab", "{file} is valid: {count} labs"),
    "column-rule": message("rule"),
    "column-missing": message("missing"),
    "missing-of": message("{count} of {expected}"),
    "column-email": message("e-mail"),
    "column-groups": message("groups and labels"),
    "column-ids": message("ids elsewhere"),
    "roster-section": message("the roster has the section {section}, which course.toml does not list"),
    "roster-unlisted": plural(
        "count",
        "{count} student has work or a decision and is not in the roster: {people}",
        "{count} students have work or a decision and are not in the roster: {people}",
    ),
    "roster-added": message("new"),
    "roster-changed": message("changed"),
    "roster-same": message("unchanged"),
    "roster-size": plural("count", "{count} student", "{count} students"),
    "roster-imported": message("Roster from {system}: {added} new, {changed} changed, {same} unchanged"),
    "roster-would-import": message(
        "Roster from {system}, nothing is stored: {added} new, {changed} changed, {same} unchanged"
    ),
    "roster-absent": plural(
        "count",
        "{count} student of the roster is not in the file and stays: {people}",
        "{count} students of the roster are not in the file and stay: {people}",
    ),
    "roster-without-id": message("line {line}: {name} has neither an id nor an address, and is left out"),
    "roster-unread": message("these columns are not read, because their headers are not known: {headers}"),
    "roster-staff": message(
        "line {line}: {name} has the role {role} and is no student, so the row is left out; "
        "give the role with `grader course role`"
    ),
    "roster-rounded": message(
        "line {line}: a spreadsheet has rounded the id {id}, so the row is left out; "
        "download the list again and do not save it from a spreadsheet"
    ),
    "roster-language": message("line {line}: {text} is no language of reports; known are {known}"),
    "roster-ambiguous": message(
        "line {line} is left out: its ids belong to several students of the roster, {people:and}"
    ),
    "roster-other-id": message(
        "line {line} is left out: its address or number is that of {known} in the roster, and its id is {id}"
    ),
    "roster-twice": message("line {line} is left out: {id} is already the id of {name} on line {first}"),
    # Why a grade is what it is
    "counted-nothing": message("nothing was submitted"),
    "counted-excused": message("excused{note}: the lab does not count"),
    "counted-extension": message("due {due:moment} instead of {before:moment}{note}"),
    "counted-early": plural(
        "count",
        "{count} attempt came before the lab opened and does not count",
        "{count} attempts came before the lab opened and do not count",
    ),
    "counted-over-limit": plural(
        "count",
        "{count} attempt is over the limit of attempts and does not count",
        "{count} attempts are over the limit of attempts and do not count",
    ),
    "counted-closed": plural(
        "count",
        "{count} attempt came too late and does not count",
        "{count} attempts came too late and do not count",
    ),
    "counted-pending": plural(
        "count", "{count} attempt has no score yet", "{count} attempts have no score yet"
    ),
    "counted-kept-only": message(f"{_ATTEMPT}counts{_SCORED}"),
    "counted-kept-best": message(f"{_ATTEMPT}counts as the best{_SCORED}"),
    "counted-kept-last": message(f"{_ATTEMPT}counts as the last{_SCORED}"),
    "counted-kept-former": message(
        f"{_ATTEMPT}counts as the last before the extension, which lowers no grade{_SCORED}"
    ),
    "counted-scaled": message(
        "{own:.6g} of {own_max:.6g} points of the lab are {points:.6g} of {max:.6g} points of the course"
    ),
    "counted-on-time": message("on time"),
    "counted-in-grace": message("on time within the minutes of grace"),
    "counted-late": message("{late} late"),
    "counted-late-days": plural(
        "count", "{count} late day is spent on it", "{count} late days are spent on it"
    ),
    "counted-penalty": plural(
        "count", "{less}, which is {points:.6g} point", "{less}, which is {points:.6g} points"
    ),
    "counted-no-penalty": message("without a penalty"),
    "counted-override": plural(
        "count",
        "staff set {points:.6g} point{note}, whatever the attempts scored",
        "staff set {points:.6g} points{note}, whatever the attempts scored",
    ),
    "counted-hidden-until": message("hidden from the student until {until:moment}"),
    "counted-not-published": message("hidden from the student until staff publish it"),
}
