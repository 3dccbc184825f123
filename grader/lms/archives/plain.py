"""A plain folder or zip of no system: each file or folder has the name of its student, as ``grader grade`` takes it."""

from collections import defaultdict

from grader.intake.names import lab_spelled, student_name
from grader.intake.read_submission import ARCHIVES
from grader.languages import by_suffix
from grader.lms.archives.port import ArchiveFormat, Certainty, ReadContext, Recognition
from grader.lms.archives.received import OWN, Contents, ExternalId, Received, Submitter, time_of_files
from grader.lms.archives.tree import ArchiveFile, Ignored, Tree, visible
from grader.model.reason import reason

_KEY = "plain"


def recognise(tree: Tree) -> Recognition | None:
    """See ``ArchiveFormat.recognise``."""
    if not any(visible(tree.files)):
        return None
    return Recognition(certainty=Certainty.ANY, why=reason("archive-of-no-system"))


def read(tree: Tree, context: ReadContext) -> Contents:
    """See ``ArchiveFormat.read``. The folders of labs come first, then one lab's students."""
    whole = _class(tree, context)
    labs = _labs(whole, context)
    ignored = list(tree.ignored)
    received = []
    if labs:
        for folder in labs:
            received += _students(whole.below(folder), folder, f"{folder}/", ignored)
        ignored += [
            Ignored(path=file.path, why=reason("entry-beside-labs"))
            for file in visible(whole.files)
            if file.parts[0] not in labs
        ]
    else:
        received = _students(whole, whole.name, "", ignored)
    return Contents(received=tuple(received), ignored=tuple(ignored))


def _class(tree: Tree, context: ReadContext) -> Tree:
    """The folder of labs or students: ``tree``, or a folder in it of the same name, as those who zip a folder make."""
    if tree.wrapper is None or lab_spelled(tree.name, context.labs) or _labs(tree, context):
        return tree
    inside = tree.below(tree.wrapper)
    return inside if tree.wrapper == tree.name or _labs(inside, context) else tree


def _labs(tree: Tree, context: ReadContext) -> list[str]:
    return [folder for folder in tree.folders if lab_spelled(folder, context.labs)]


def _students(tree: Tree, assignment: str, prefix: str, ignored: list[Ignored]) -> list[Received]:
    """One submission for each student of a lab; files that are none's go to ``ignored``."""
    owned: dict[str, list[ArchiveFile]] = defaultdict(list)
    for file in visible(tree.files):
        top, _, inside = file.path.partition("/")
        student = student_name(top if inside else file.stem)
        if inside:
            owned[student].append(file.at(inside))
        elif file.suffix in by_suffix() or file.suffix in ARCHIVES:
            owned[student].append(file)
        else:
            ignored.append(Ignored(path=f"{prefix}{file.path}", why=reason("entry-of-no-student")))
    return [_received(student, tuple(files), assignment, prefix) for student, files in owned.items()]


def _received(student: str, files: tuple[ArchiveFile, ...], assignment: str, prefix: str) -> Received:
    at, source = time_of_files(files)
    return Received(
        path=f"{prefix}{student}",
        submitters=(
            Submitter(
                ids=(ExternalId(system=OWN, value=student),),
                name=student,
                email=student if "@" in student else "",
            ),
        ),
        files=files,
        assignment=assignment,
        submitted_at=at,
        time_source=source,
    )


PLAIN = ArchiveFormat(key=_KEY, label="a folder of students", recognise=recognise, read=read)
