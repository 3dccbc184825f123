"""Nothing that a person reads bypasses the catalogue: no module and no template has sentences of its own."""

import ast

import pytest

from tools.literal_texts import template_texts, texts, texts_in_code, texts_in_templates

ENGLISH_MODULES = {
    "grader/cli/doctor.py": "for the person who installs Grader",
    "grader/course/capabilities.py": "for the person who installs Grader",
    "grader/cli/labs_validate.py": "for authors of labs",
    "grader/course/case_data.py": "a README about NumPy files",
    "grader/course/lti/addresses.py": "the terms of LTI, for administrators",
}
"""Modules with texts that stay English, each with the reason."""

ENGLISH_TEXTS = {
    "stopped; finished work is kept, run the same command to continue": "an error that ends the command",
    "Standard output": "a part of an error",
    "The results document": "a part of an error",
    " for ": "a part of an error",
    " should take": "a part of an error",
    "what to vary": "a part of an error",
    "which values ": "a part of an error",
    "has no kernel ": "a part of an error",
    "has several kernels": "a part of an error",
    " times": "pytest-benchmark's format",
    "Grader leaderboards": "the title of a JSON schema",
    "Grader similarity": "the title of a JSON schema",
    "Grader results": "the title of a JSON schema",
    "Grader gradebook": "the title of a JSON schema",
    "Grader statistics": "the title of a JSON schema",
    "same points": "a word of the catalogue",
    "flag confirmed": "a word of the catalogue",
    "times cleared": "a word of the catalogue",
    " ns": "a unit",
    ".html": "the end of a file's name",
    "left": "a side",
    "lab code": "a value of an enumeration",
    "no lab": "a value of an enumeration",
    "scoring code": "the name of a digest",
    "scoring settings": "the name of a digest",
    "grader check ": "a command",
    "excuse withdrawn": "a word of the log",
    "erasure request": "a word of the log",
    "openid email profile": "the scopes of a sign-in",
}
"""Texts that stay English, each with what it is."""


def test_modules_show_only_statements_of_the_catalogue() -> None:
    found = texts_in_code("grader/cli", "grader/report", "grader/course")
    others = [text for text in found if text.path not in ENGLISH_MODULES and text.text not in ENGLISH_TEXTS]
    assert [str(text) for text in others] == []


def test_templates_show_only_statements_of_the_catalogue() -> None:
    assert list(map(str, texts_in_templates())) == []


@pytest.mark.parametrize(
    "line",
    [
        'note("No submission waits.")',
        'out.print(f"{count} results differ: {line}")',
        'table.add_column("student", overflow="fold")',
        'title = f"{kernel} over {over}"',
        'Text.assemble((f"{lab} is broken", "red"))',
        'shown = "no time" if speedup is None else times(speedup)',
    ],
)
def test_a_sentence_in_a_module_is_found(line: str) -> None:
    assert [text for _, text in texts(ast.parse(line))]


@pytest.mark.parametrize(
    "line",
    [
        'speech.says("column-student")',
        'raise UserError(f"{path} is missing", hint="Name another file.")',
        'msg = "There is nothing here."',
        'typer.Option(help="Only this lab.")',
        'table.add_column(heading, justify="right", style="bold red")',
        'command = f"`grader review {student}`"',
    ],
)
def test_codes_errors_and_help_are_no_sentences(line: str) -> None:
    assert list(texts(ast.parse(line))) == []


@pytest.mark.parametrize(
    ("template", "found"),
    [
        ("<p>All values</p>", ["All values"]),
        ('<p>\n{{ label("all-values") }}</p>', []),
        ('<input placeholder="Find a student">', ["Find a student"]),
        ('<td class="any">{% if row.reason %}not timed: {{ row.reason }}{% endif %}</td>', ["not timed:"]),
    ],
)
def test_a_sentence_in_a_template_is_found(template: str, found: list[str]) -> None:
    assert [text for _, text in template_texts(template)] == found
