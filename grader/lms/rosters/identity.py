"""Which columns of a list hold ids, in each system."""

import re
from collections.abc import Mapping

from grader.lms.words import Phrase, Role, System, starts_with_phrase

OWN: Mapping[System, tuple[Role, ...]] = {
    System.MOODLE: (Role.ID_NUMBER, Role.USERNAME),
    System.CANVAS: (Role.ID_NUMBER, Role.USERNAME),
    System.GRADESCOPE: (Role.IDENTIFIER,),
    System.BLACKBOARD: (Role.ID_NUMBER, Role.USERNAME),
    System.BRIGHTSPACE: (Role.IDENTIFIER, Role.USERNAME),
    System.GITHUB: (Role.IDENTIFIER,),
    System.PLAIN: (Role.IDENTIFIER, Role.USERNAME),
}
"""By system: the columns with an id that the school gave, the surest first."""

_USERS = (Role.IDENTIFIER, Role.USERNAME)
ISSUED: Mapping[System, Mapping[Role, System]] = {
    System.MOODLE: dict.fromkeys(_USERS, System.MOODLE),
    System.CANVAS: dict.fromkeys(_USERS, System.CANVAS),
    System.GRADESCOPE: {Role.IDENTIFIER: System.GRADESCOPE},
    System.BLACKBOARD: {Role.USERNAME: System.BLACKBOARD},
    System.BRIGHTSPACE: dict.fromkeys(_USERS, System.BRIGHTSPACE),
    System.GITHUB: {Role.USERNAME: System.GITHUB},
    System.CLASSROOM50: {Role.USERNAME: System.GITHUB},
    System.PLAIN: {
        Role.MOODLE_ID: System.MOODLE,
        Role.CANVAS_ID: System.CANVAS,
        Role.GRADESCOPE_ID: System.GRADESCOPE,
        Role.BLACKBOARD_ID: System.BLACKBOARD,
        Role.BRIGHTSPACE_ID: System.BRIGHTSPACE,
        Role.GITHUB_ID: System.GITHUB,
    },
}
"""By system: the columns with an id by which a system itself names people, and that system."""

_FORMULA = re.compile(r'="(.*)"')
_NUMBER = re.compile(r"\d+$")
_ROUNDED = re.compile(r"\d+([.,]\d+)?E\+\d+", re.IGNORECASE)


def id_in(cell: str, system: System, role: Role) -> str:
    """The id in ``cell`` without what a system puts around it so that spreadsheets keep its zeros."""
    text = cell.strip()
    if (formula := _FORMULA.fullmatch(text)) is not None:
        text = formula[1].strip()
    if system is System.BRIGHTSPACE:
        text = text.removeprefix("#")
    if system is System.MOODLE and role is Role.IDENTIFIER:
        rest = starts_with_phrase(text, Phrase.PARTICIPANT)
        number = _NUMBER.search(text if rest is None else rest)
        return number[0] if number else text
    return text


def is_rounded(text: str) -> bool:
    """Whether a spreadsheet has made a long number ``1.23E+11``, so that its digits are lost."""
    return _ROUNDED.fullmatch(text) is not None
