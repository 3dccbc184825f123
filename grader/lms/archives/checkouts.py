"""GitHub Classroom and classroom50: a folder of checkouts, ``ASSIGNMENT-USER/.git``.

The name of an assignment and that of a user may both hold dashes: every split is a candidate, and the roster decides.
"""

import re

from grader.lms.archives.git_head import commit_time
from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
from grader.lms.archives.received import Contents, ExternalId, Received, Submitter, TimeSource, time_of_files
from grader.lms.archives.tree import GIT, Ignored, Tree, visible
from grader.model.reason import reason

_KEY = "github"
_COLLECTED = re.compile(r"(?P<assignment>.+?)-submissions(?:-[\d-]+)?")
"""The folder that ``gh classroom clone student-repos`` makes."""


def recognise(tree: Tree) -> Recognition | None:
    """See ``ArchiveFormat.recognise``."""
    whole = _class(tree)
    checkouts = _checkouts(whole)
    if not checkouts or len(checkouts) * 2 < len(whole.folders):
        return None
    return Recognition(
        certainty=Certainty.NAMES, why=reason("archive-has-name", name=f"{checkouts[0]}/{GIT}")
    )


def read(tree: Tree, context: ReadContext) -> Contents:
    """See ``ArchiveFormat.read``."""
    del context
    whole = _class(tree)
    checkouts = _checkouts(whole)
    collected = _COLLECTED.fullmatch(whole.name)
    start = f"{collected['assignment']}-" if collected else _common_start(checkouts)
    ignored = list(tree.ignored)
    ignored += [
        Ignored(path=file.path, why=reason("entry-of-no-checkout"))
        for file in visible(whole.files)
        if file.parts[0] not in checkouts
    ]
    received = tuple(_received(name, whole.below(name), start) for name in checkouts)
    return Contents(received=received, ignored=tuple(ignored))


def _class(tree: Tree) -> Tree:
    """The folder of checkouts; a single checkout is a class of one."""
    if any(file.path == f"{GIT}/HEAD" for file in tree.files):
        files = tuple(file.at(f"{tree.name}/{file.path}") for file in tree.files)
        return Tree(name=tree.name, files=files, ignored=tree.ignored)
    return tree if _checkouts(tree) else tree.without_wrapper()


def _checkouts(tree: Tree) -> list[str]:
    return sorted({file.parts[0] for file in tree.files if file.parts[1:] == (GIT, "HEAD")})


def _common_start(names: list[str]) -> str:
    """What all names begin with, up to a dash; nothing for one name."""
    if len(names) == 1:
        return ""
    first, last = min(names), max(names)
    same = next(
        (at for at, pair in enumerate(zip(first, last, strict=False)) if pair[0] != pair[1]), len(first)
    )
    return first[: first.rfind("-", 0, same) + 1]


def _received(name: str, checkout: Tree, start: str) -> Received:
    files = tuple(visible(checkout.files))
    at, source = commit_time(checkout), TimeSource.COMMIT
    if at is None:
        at, source = time_of_files(files)
    likely = name.removeprefix(start)
    candidates = dict.fromkeys([likely, name, *(name[dash + 1 :] for dash in _dashes(name))])
    return Received(
        path=name,
        submitters=(
            Submitter(
                ids=tuple(ExternalId(system=_KEY, value=each) for each in candidates if each), name=likely
            ),
        ),
        files=files,
        assignment=start.rstrip("-") or name,
        submitted_at=at,
        time_source=source,
    )


def _dashes(name: str) -> list[int]:
    return [at for at, char in enumerate(name) if char == "-"]


GITHUB = ArchiveFormat(key=_KEY, label="GitHub Classroom", recognise=recognise, read=read)
