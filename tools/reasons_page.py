"""The page of all reasons: ``python -m tools.reasons_page`` writes ``docs/reference/reasons.md``."""

from collections.abc import Iterator

from grader.messages.catalogue import TABLES
from grader.messages.languages import LANGUAGES, translation
from grader.messages.message import Message
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "reference" / "reasons.md"

_HEAD = """# Reasons

Everything that a report says about a submission is a statement of this catalogue: a code, which never changes its
meaning, and parameters in braces. `results.json` has the code beside each text. Programs decide by the code; the texts
may change with any release. A number decides between the forms of a statement where there are several.

`python -m tools.reasons_page` writes this page.
"""


def page() -> str:
    """The page, with a section for each table and a list of all languages for each code."""
    return "\n".join([_HEAD, *(line for table in TABLES for line in _section(table)), ""]).rstrip("\n") + "\n"


def _section(table: str) -> Iterator[str]:
    yield f"## {table.capitalize()}\n"
    for code, message in sorted(TABLES[table].items()):
        yield f"### `{code}`\n"
        for language in LANGUAGES:
            yield f"- {language}: {' / '.join(map(_quoted, _forms(language, code, message)))}"
        yield ""


def _quoted(form: str) -> str:
    """``form`` as inline code; a form with backticks of its own needs a longer fence, and spaces inside it."""
    return f"`` {form} ``" if "`" in form else f"`{form}`"


def _forms(language: str, code: str, message: Message) -> list[str]:
    """The different forms of a statement in one language."""
    words = translation(language)
    if not message.by:
        return [words.template(code, message.text)]
    numbers = (1, 2, 5)
    return list(
        dict.fromkeys(words.plural_template(code, message.text, message.many, number) for number in numbers)
    )


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
