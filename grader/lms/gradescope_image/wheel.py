"""A wheel of the installed Grader, made from its own files: no build tool and no network is needed."""

import base64
import hashlib
import io
import zipfile
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path

import grader
from grader.labs.builtin import catalogue

_EPOCH = (1980, 1, 1, 0, 0, 0)
_TAG = "Root-Is-Purelib: true\nTag: py3-none-any\n"
_BUNDLED = "grader/labs/_bundled"


def wheel() -> tuple[str, bytes]:
    """The name and the content of a wheel with this Grader and its built-in labs."""
    package = distribution("grader")
    version = package.version
    info = f"grader-{version}.dist-info"
    files = dict(_package_files())
    files |= _lab_files()
    files[f"{info}/METADATA"] = _metadata(package)
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: grader\n{_TAG}".encode()
    files[f"{info}/entry_points.txt"] = (package.read_text("entry_points.txt") or "").encode()
    record = "".join(f"{path},{_digest(data)},{len(data)}\n" for path, data in files.items())
    files[f"{info}/RECORD"] = f"{record}{info}/RECORD,,\n".encode()
    return f"grader-{version}-py3-none-any.whl", _zipped(files)


def constraints() -> bytes:
    """The release of everything that Grader needs, as it is installed here: a line each, as pip reads them."""
    found: dict[str, str] = {}
    waiting = ["grader"]
    while waiting:
        for name in _requirements(distribution(waiting.pop())):
            if name not in found and (needed := _installed(name)) is not None:
                found[name] = needed.version
                waiting.append(name)
    return "".join(f"{name}=={version}\n" for name, version in sorted(found.items())).encode()


def _requirements(package: Distribution) -> Iterable[str]:
    """The names of what ``package`` requires, extras included."""
    for line in package.requires or ():
        name = line.split(";")[0]
        for mark in "[<>=!~ (":
            name = name.split(mark)[0]
        yield name.strip().lower().replace("_", "-")


def _installed(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except ModuleNotFoundError:
        return None


def _package_files() -> Iterable[tuple[str, bytes]]:
    root = Path(grader.__file__).parent
    for path in sorted(root.rglob("*")):
        inside = path.relative_to(root)
        if path.is_file() and "__pycache__" not in inside.parts and "_bundled" not in inside.parts:
            yield f"grader/{inside.as_posix()}", path.read_bytes()


def _lab_files() -> dict[str, bytes]:
    labs = catalogue()
    found = {}
    for name, root in (("assignments", labs.labs), ("reference", labs.reference)):
        for path in sorted(root.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts:
                found[f"{_BUNDLED}/{name}/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    return found


def _metadata(package: Distribution) -> bytes:
    text = package.read_text("METADATA")
    if text is None:
        msg = f"grader {package.version} has no METADATA"
        raise FileNotFoundError(msg)
    return text.encode()


def _digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _zipped(files: Mapping[str, bytes]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, data in files.items():
            archive.writestr(zipfile.ZipInfo(path, _EPOCH), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()
