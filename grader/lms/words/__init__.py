"""The words that other systems write: headers of columns in every known language, and words inside of cells.

``headers.tsv`` has a line for each word: system, role, language, word. ``phrases.tsv`` has role, language, word.
Moodle writes its headers in the language of the user; the words are those of its language packs, the other systems'
are those of their exports.
"""

from grader.lms.words.columns import Columns, recognise
from grader.lms.words.headers import Role, System, Word, word_for, words
from grader.lms.words.phrases import Phrase, decimal_mark, is_phrase, starts_with_phrase

__all__ = [
    "Columns",
    "Phrase",
    "Role",
    "System",
    "Word",
    "decimal_mark",
    "is_phrase",
    "recognise",
    "starts_with_phrase",
    "word_for",
    "words",
]
