"""Pack ``autograder.zip``: two scripts, Grader as a wheel with its constraints, and the lab."""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from grader.lms.gradescope_image.settings import FILE, RunSettings
from grader.lms.gradescope_image.toml_text import toml
from grader.lms.gradescope_image.wheel import constraints, wheel

SCRIPTS = ("setup.sh", "run_autograder")
_HERE = Path(__file__).parent
_EPOCH = (1980, 1, 1, 0, 0, 0)
_EXECUTABLE = 0o100755 << 16
_PLAIN = 0o100644 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Autograder:
    """What an autograder consists of.

    ``config`` are the tables of its ``grader.toml``. ``folders`` are those of a lab that does not come with Grader, by
    their names in the zip.
    """

    settings: RunSettings
    config: Mapping[str, Mapping[str, object]]
    folders: Mapping[str, Path] = field(default_factory=dict)


def pack(autograder: Autograder) -> bytes:
    """``autograder`` as a zip file that Gradescope takes. Raises: ``OSError`` if a folder cannot be read."""
    name, content = wheel()
    files = {
        **{script: (_HERE / script).read_bytes() for script in SCRIPTS},
        name: content,
        "constraints.txt": constraints(),
        FILE: autograder.settings.encoded(),
        "grader.toml": toml(autograder.config).encode(),
    }
    for inside, folder in autograder.folders.items():
        for path in sorted(folder.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                files[f"{inside}/{path.relative_to(folder).as_posix()}"] = path.read_bytes()
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path_inside, data in files.items():
            info = zipfile.ZipInfo(path_inside, _EPOCH)
            info.external_attr = _EXECUTABLE if path_inside in SCRIPTS else _PLAIN
            archive.writestr(info, data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
