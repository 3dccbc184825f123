"""The rows of the class matrix as HTML, kept between requests: most of them are the same from one look to the next."""

from collections.abc import Callable, Iterable

from markupsafe import Markup

from grader.course.matrix_rows import MatrixRow


class MatrixTexts:
    """The text of the newest row of each student in each language. Threads may share it."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], tuple[MatrixRow, Markup]] = {}

    def of(
        self, rows: Iterable[MatrixRow], language: str, made: Callable[[MatrixRow], str]
    ) -> tuple[Markup, ...]:
        """The texts of ``rows``, each ``made`` unless it was made for the same row before."""
        return tuple(self._text(row, language, made) for row in rows)

    def _text(self, row: MatrixRow, language: str, made: Callable[[MatrixRow], str]) -> Markup:
        key = (language, row.person.id)
        former = self._kept.get(key)
        if former is not None and former[0] is row:
            return former[1]
        text = Markup(made(row))  # noqa: S704 - a template made it, which escapes what it shows
        self._kept[key] = (row, text)
        return text
