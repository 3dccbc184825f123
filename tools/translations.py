"""Bring the translations in step with the catalogue: ``python -m tools.translations``.

Each table has a file for each language (``grader/messages/locale/ru/LC_MESSAGES/judge.po``). A message that the
catalogue has and the file lacks is added without a translation; one that the catalogue no longer has is removed. Edit
the ``.po`` files and run the command again: it compiles them and lists what is missing.
"""

import io
import sys
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

from babel.messages import Catalog
from babel.messages import Message as Entry
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from grader.messages.catalogue import TABLES, WORDS
from grader.messages.languages import FOLDER, LANGUAGES
from grader.messages.message import Message, fields_of

_CHANGING = tuple(
    f'"{name}'.encode()
    for name in (
        *("POT-Creation", "PO-Revision", "Generated-By", "Last-Translator", "Language-Team"),
        *("Report-Msgid", "Project-Id"),
    )
)
"""Starts of the header's lines that depend on the day and the tool, or say nothing."""

_NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)
"""In the compiled files, so that equal translations give equal bytes."""

TRANSLATED = tuple(language for language in LANGUAGES if language != "en")


def expected(table: str) -> dict[str, Message]:
    """What the file of ``table`` must translate, by gettext context."""
    words = {f"word:{word}": Message(text=word) for word in WORDS} if table == "common" else {}
    return {**TABLES[table], **words}


def path_of(language: str, table: str) -> Path:
    """The file of one language and table."""
    return FOLDER / language / "LC_MESSAGES" / f"{table}.po"


def updated(language: str, table: str) -> Catalog:
    """The translations of ``table`` that are there, with exactly the messages that the catalogue has now."""
    path = path_of(language, table)
    with path.open("rb") if path.is_file() else io.BytesIO() as stream:
        known = read_po(stream, locale=language)
    catalogue = Catalog(locale=language, fuzzy=False, header_comment="")
    for context, message in expected(table).items():
        identifier = (message.text, message.many) if message.by else message.text
        before = known.get(identifier, context)
        catalogue.add(identifier, before.string if before else None, context=context)
    return catalogue


def incomplete(catalogue: Catalog) -> Iterator[str]:
    """Contexts of the messages that lack a translation, or that have one with other fields."""
    for entry in catalogue:
        if entry.id and not _is_complete(entry, catalogue.num_plurals):
            yield str(entry.context)


def po(catalogue: Catalog) -> bytes:
    """The text file; equal catalogues give equal bytes."""
    stream = io.BytesIO()
    write_po(stream, catalogue, width=110, omit_header=False, sort_output=False)
    return b"".join(
        line for line in stream.getvalue().splitlines(keepends=True) if not line.startswith(_CHANGING)
    )


def mo(catalogue: Catalog) -> bytes:
    """The compiled file."""
    stream = io.BytesIO()
    read = read_po(io.BytesIO(po(catalogue)), locale=str(catalogue.locale))
    read.creation_date = read.revision_date = _NO_DATE
    write_mo(stream, read)
    return stream.getvalue()


def _is_complete(entry: Entry, plurals: int) -> bool:
    sources, forms = _forms(entry.id), _forms(entry.string)
    wanted = {name for source in sources for name in fields_of(source)}
    # The form for 1 may say "only" without the number, in English and in a translation.
    found = {name for form in forms for name in fields_of(form)}
    return len(forms) == (plurals if len(sources) > 1 else 1) and all(forms) and found == wanted


def _forms(texts: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (texts or "",) if isinstance(texts, str | None) else tuple(texts)


def main(tables: Mapping[str, object] = TABLES) -> int:
    """Update and compile every file. Returns: 1 if a translation is missing."""
    missing = []
    for language in TRANSLATED:
        for table in tables:
            catalogue = updated(language, table)
            path = path_of(language, table)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(po(catalogue))
            path.with_suffix(".mo").write_bytes(mo(catalogue))
            missing += [f"{language} {table}: {context}" for context in incomplete(catalogue)]
    sys.stdout.writelines(f"{line}\n" for line in missing)
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
