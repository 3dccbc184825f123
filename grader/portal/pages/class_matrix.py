"""The class as a matrix: who needs help, and how the machinery is."""

from collections.abc import Sequence
from urllib.parse import quote, urlencode

from starlette.responses import Response

from grader.course.class_matrix import ClassMatrix, MatrixFilter, class_matrix, class_now
from grader.course.matrix_cells import Mark, Word
from grader.course.matrix_rows import MatrixRow
from grader.course.operations import Operations, operations
from grader.digests import value_digest
from grader.messages import Speech
from grader.policy.access import Scope
from grader.portal.answers import page
from grader.portal.asked import Asked
from grader.portal.page import Page
from grader.portal.templating import environment

WORDS = {
    Word.LOOK: "staff-word-look",
    Word.MISSING: "staff-word-missing",
    Word.WRONG: "staff-word-wrong",
    Word.BUILD: "staff-word-build",
    Word.CRASH: "staff-word-crash",
    Word.TIME: "staff-word-time",
    Word.LIMIT: "staff-word-limit",
    Word.NOT_GRADED: "staff-word-not-graded",
    Word.NOT_COUNTED: "staff-word-not-counted",
    Word.EXCUSED: "staff-word-excused",
}
"""The statement of each word."""

MARKS = {
    Mark.LATE: "staff-mark-late",
    Mark.CHANGED: "staff-mark-changed",
    Mark.RUNNING: "staff-mark-running",
    Mark.ASKED: "staff-mark-asked",
}
"""The statement of each mark."""

SIGNS = {Mark.LATE: "L", Mark.CHANGED: "✎", Mark.RUNNING: "…", Mark.ASKED: "?"}
"""What stands beside a number."""

STYLES = {
    Word.LOOK: "v-suspicious",
    Word.MISSING: "v-none",
    Word.WRONG: "v-wrong",
    Word.BUILD: "v-build",
    Word.CRASH: "v-crashed",
    Word.TIME: "v-late",
    Word.LIMIT: "v-limit",
    Word.NOT_GRADED: "v-none",
    Word.NOT_COUNTED: "v-none",
    Word.EXCUSED: "v-none",
}
"""The class of each word in the style sheet."""

_MAX_SEARCH = 100


def matrix(asked: Asked) -> Response:
    """The matrix by the filter in the address; 304 if the browser has it already."""
    seen = class_now(asked.workspace, asked.now)
    state = operations(asked.workspace, seen.jobs)
    shown = (asked.visitor.language, asked.visitor.name, sorted(asked.query.items()), repr(state.workers))
    tag = f'"{value_digest((seen.tag, *shown))}"'
    if asked.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers={"ETag": tag})
    wanted = _filter(asked)
    found = class_matrix(asked.workspace, wanted, seen)
    answer = page(
        asked,
        "class.html.j2",
        matrix=found,
        wanted=wanted,
        operations=state,
        missing=_missing(found, asked),
        idle=sum(each.is_idle for each in state.workers),
        attention=_attention(state),
        address=_address(asked),
        rows=_rows(asked, found.rows),
        words=WORDS,
        marks=MARKS,
        signs=SIGNS,
        quoted=_quoted,
    )
    answer.headers["ETag"] = tag
    return answer


def _rows(asked: Asked, rows: Sequence[MatrixRow]) -> Sequence[str]:
    language = asked.visitor.language
    template = environment(language).get_template("parts/matrix_row.html.j2")
    says = Speech(language).says
    word_texts = {word: says(code) for word, code in WORDS.items()}

    def made(row: MatrixRow) -> str:
        return template.render(row=row, word_texts=word_texts, signs=SIGNS, styles=STYLES, quoted=_quoted)

    return asked.server.matrix.of(rows, language, made)


def _quoted(name: str) -> str:
    return quote(name, safe="")


def _filter(asked: Asked) -> MatrixFilter:
    """The filter; words that do not exist exclude nothing."""
    query = asked.query
    return MatrixFilter(
        search=query.get("q", "")[:_MAX_SEARCH],
        section=query.get("section", ""),
        lab=query.get("lab", ""),
        word=next((word for word in Word if word == query.get("word")), None),
        mark=next((mark for mark in Mark if mark == query.get("mark")), None),
        sort=query.get("sort", "name"),
    )


def _address(asked: Asked) -> object:
    """Makes the address of this page with other parameters; empty ones are left out."""

    def address(**changed: str) -> str:
        query = {name: value for name, value in {**asked.query, **changed}.items() if value}
        return f"?{urlencode(query)}" if query else "?"

    return address


def _missing(found: ClassMatrix, asked: Asked) -> tuple[str, int] | None:
    """The lab that was due last, and how many did not submit to it."""
    due = [(lab.due, number) for number, lab in enumerate(found.labs) if lab.due and lab.due < asked.now]
    if not due:
        return None
    _, number = max(due)
    return found.labs[number].name, sum(row.cells[number].word is Word.MISSING for row in found.rows)


def _attention(state: Operations) -> tuple[str, ...]:
    """The devices that get no jobs."""
    return tuple(
        each.worker.device.model or each.worker.device.id
        for each in state.workers
        if each.paused or each.worker.set_aside
    )


ROUTES = (Page(path="/class", endpoint=matrix, scope=Scope.READ_COURSE, label="staff-class"),)
