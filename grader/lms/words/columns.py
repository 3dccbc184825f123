"""Recognise a row of headers: which system wrote it, in which language, and what each column holds."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from grader.lms.words.headers import Role, System, Word, words


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """What is known of a row of headers. ``index`` has the column of each role, ``unknown`` the other columns."""

    system: System
    language: str
    index: Mapping[Role, int]
    unknown: tuple[int, ...]

    def __getitem__(self, role: Role) -> int:
        return self.index[role]

    def __contains__(self, role: Role) -> bool:
        return role in self.index


def recognise(headers: Sequence[str], systems: Collection[System] = tuple(System)) -> Columns | None:
    """The system of ``systems``, and the language, that know the most of ``headers``; ``None`` if they know none.

    Of several that know as many, the first system and English come first. Headers that the language lacks may be
    words of another language of the same system, as where a site changed single words.
    """
    meanings = [tuple(word for word in words(header) if word.system in systems) for header in headers]
    candidates = {(word.system, word.language): 0 for found in meanings for word in found}
    for found in meanings:
        for known in {(word.system, word.language) for word in found}:
            candidates[known] += 1
    if not candidates:
        return None
    order = list(System)
    system, language = min(
        candidates, key=lambda each: (-candidates[each], order.index(each[0]), each[1] != "en", each[1])
    )
    index = _index([[word for word in found if word.system is system] for found in meanings], language)
    placed = set(index.values())
    unknown = tuple(column for column in range(len(headers)) if column not in placed)
    return Columns(system=system, language=language, index=index, unknown=unknown)


def _index(meanings: Sequence[Sequence[Word]], language: str) -> dict[Role, int]:
    """The column of each role: first by words of ``language``, then by those of other languages."""
    index: dict[Role, int] = {}
    placed: set[int] = set()
    for own in (True, False):
        for column, found in enumerate(meanings):
            roles = [word.role for word in found if (word.language == language) is own]
            role = next((role for role in roles if role not in index), None)
            if role is not None and column not in placed:
                index[role] = column
                placed.add(column)
    return index
