"""``python -m tests.engines.emulator.golden.build_functions`` compiles the functions' PTX again.

Make a new recording afterwards.
"""

import json
import lzma
import re

from grader.compile.toolkit_headers import toolkit_options
from tests.engines.emulator.golden.function_forms import ARCHIVE, name_of, source_of
from tests.engines.emulator.golden.functions import functions
from tools.emulator.compiling import ptx_of

_VERSION = re.compile(r"^\.version .*$", re.MULTILINE)
_NOISE = re.compile(r"^\s*(?:\.loc\b.*|\.file\b.*|//.*)?\n", re.MULTILINE)


def build() -> None:
    """Compile every function. The PTX version is lowered for older drivers; the code uses no newer feature."""
    built = {}
    for function in functions():
        ptx = ptx_of(source_of(function), *toolkit_options())
        built[name_of(function)] = _VERSION.sub(".version 8.3", _NOISE.sub("", ptx))
    text = json.dumps(built, indent=0, sort_keys=True)
    ARCHIVE.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


if __name__ == "__main__":
    build()
