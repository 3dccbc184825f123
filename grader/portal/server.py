"""What all requests of one process share."""

from dataclasses import dataclass, field
from functools import cached_property, partial
from urllib.parse import urlsplit

from grader.config.portal_settings import PortalSettings
from grader.course.class_board import LiveBoard, read_boards
from grader.course.live_state import LiveState
from grader.course.live_workspace import LiveWorkspace
from grader.course.workspace import Workspace
from grader.portal.cookies import CookieJar
from grader.portal.live import LiveWatch, read_states
from grader.portal.matrix_texts import MatrixTexts
from grader.portal.metrics import RequestCounts
from grader.portal.page import Page
from grader.portal.shared_counts import SharedCounts


@dataclass(frozen=True, kw_only=True)
class Server:
    """The ``course`` of one server process, with its open store, and the table of its pages."""

    course: LiveWorkspace
    pages: tuple[Page, ...]
    counts: RequestCounts = field(default_factory=RequestCounts)
    live: LiveWatch[int, LiveState] = field(default_factory=partial(LiveWatch, read_states))
    boards: LiveWatch[str, LiveBoard] = field(default_factory=partial(LiveWatch, read_boards))
    matrix: MatrixTexts = field(default_factory=MatrixTexts)

    @cached_property
    def shared_counts(self) -> SharedCounts:
        """What all processes of the server counted."""
        return SharedCounts(self.counts)

    @property
    def workspace(self) -> Workspace:
        """The course with its labs as staff have changed them."""
        return self.course.current()

    @property
    def settings(self) -> PortalSettings:
        """The settings of the portal."""
        return self.workspace.config.portal

    @property
    def jar(self) -> CookieJar:
        """Reads and writes cookies."""
        return CookieJar(self.settings)

    @property
    def origin(self) -> str:
        """The scheme and host of the portal, as browsers write an origin."""
        parts = urlsplit(self.settings.url)
        return f"{parts.scheme}://{parts.netloc}"
