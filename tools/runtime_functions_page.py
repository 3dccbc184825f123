"""The page of the runtime's functions: ``python -m tools.runtime_functions_page`` writes it.

What a program may call is read from NVIDIA's header and from Grader's sources, as when the library is built.
"""

import re
from pathlib import Path

from grader.programs.runtime_library import declared_functions
from grader.programs.toolchain import find_toolchain
from tools.paths import CHECKOUT

PAGE = CHECKOUT / "docs" / "reference" / "runtime-functions.md"

_RUNTIME = CHECKOUT / "grader" / "programs" / "runtime"
_DEFINED = re.compile(r"^API cudaError_t (cuda\w+)\(", re.MULTILINE)
_HEAD = """# Functions of the runtime

What `grader run` does with each function of `cuda_runtime_api.h`. A program that calls a function of the second list
ends there, with the function's name and the line. Functions of the driver API and of NVIDIA's libraries are not there
either: a program that calls one does not compile or link, and the message names it. Some forms of functions of the
first list are refused by name too: texture objects with sRGB, with a resource view or over a mipmapped array, clusters,
and programmatic launches.

`python -m tools.runtime_functions_page` writes this page.
"""


def page(include: Path) -> str:
    """The page, for the header in the folder ``include``."""
    declared = declared_functions(include)
    defined = {
        name for path in _RUNTIME.glob("*.cpp") for name in _DEFINED.findall(path.read_text(encoding="utf-8"))
    }
    return "\n".join(
        (
            _HEAD,
            "## Carried out\n",
            _listed(sorted(declared & defined)),
            "\n## Refused by name\n",
            _listed(sorted(declared - defined)),
            "",
        )
    )


def _listed(names: list[str]) -> str:
    return "\n".join(f"- `{name}`" for name in names)


def main() -> None:
    """Write the page."""
    PAGE.write_text(page(find_toolchain().include), encoding="utf-8")


if __name__ == "__main__":
    main()
