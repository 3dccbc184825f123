"""The configuration that applies in the current directory, and the labs it leads to."""

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from grader.config import Config, load

if TYPE_CHECKING:
    from grader.course.class_grades import ClassGrades
    from grader.course.matrix_rows import MatrixRows
    from grader.labs.registry import Registry
    from grader.store.ports import Store


@dataclass(frozen=True, kw_only=True)
class Workspace:
    """The configuration and its labs.

    ``store`` is open, and what uses the workspace shares it; ``None``: each use opens the store and closes it.
    """

    config: Config
    store: "Store | None" = None

    @cached_property
    def registry(self) -> "Registry":
        """The labs with the course's changes, found when they are first needed. Raises: ``UserError``."""
        from grader.labs.registry import Catalogue, discover  # noqa: PLC0415 - loads NumPy, which queries do not need

        folders = [
            Catalogue(labs=folder.labs, reference=folder.reference) for folder in self.config.lab_folders
        ]
        return discover(folders, self.config.overlays)

    @cached_property
    def class_grades(self) -> "ClassGrades":
        """The grades of everybody, kept between the requests of a server."""
        from grader.course.class_grades import ClassGrades  # noqa: PLC0415 - loads the rules, which few commands need

        return ClassGrades(self)

    @cached_property
    def matrix_rows(self) -> "MatrixRows":
        """The rows of the class matrix, kept between the requests of a server."""
        from grader.course.matrix_rows import MatrixRows  # noqa: PLC0415 - loads the rules, which few commands need

        return MatrixRows()

    def sharing_store(self) -> "Workspace":
        """This workspace with an open store, which ``close`` closes. Raises: ``UserError``."""
        from grader.store.sql_store import open_store  # noqa: PLC0415 - loads SQLAlchemy, which few commands need

        return replace(self, store=open_store(self.config))

    def close(self) -> None:
        """Close the store that is shared."""
        if self.store is not None:
            self.store.close()


def open_workspace() -> Workspace:
    """Read the configuration that applies here. Raises: ``UserError``."""
    return Workspace(config=load())
