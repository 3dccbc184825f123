"""The version check of NVIDIA's Container Toolkit, which runs as root: its bugs let code escape from containers."""

import re
import shutil
import subprocess

_SAFE = (1, 18, 2)
_COMMANDS = ("nvidia-ctk", "nvidia-container-cli")
_SECONDS = 10
_KNOWN = "older ones let a container reach the machine (CVE-2024-0132, CVE-2025-23359 and CVE-2025-23266 among others)"


def unsafe_toolkit() -> str | None:
    """Why the toolkit of this machine must not be used, and how to fix it; ``None`` where it may."""
    for name in _COMMANDS:
        command = shutil.which(name)
        if command is not None:
            version = subprocess.run(  # noqa: S603 - a command that the grader builds
                [command, "--version"], capture_output=True, text=True, check=False, timeout=_SECONDS
            )
            return version_problem(version.stdout)
    return "the version of the NVIDIA Container Toolkit is unknown; install nvidia-ctk"


def version_problem(output: str) -> str | None:
    """As ``unsafe_toolkit``, for a toolkit that prints ``output`` as its version."""
    found = re.search(r"(\d+)\.(\d+)\.(\d+)", output)
    if found is None:
        return "the NVIDIA Container Toolkit does not report its version; reinstall it"
    version = tuple(map(int, found.groups()))
    if version >= _SAFE:
        return None
    return f"the NVIDIA Container Toolkit is {found[0]}, and {_KNOWN}; update it to 1.18.2 or newer"
