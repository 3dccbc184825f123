"""A worker starts without what only the grader needs to say something."""

import subprocess
import sys


def test_engines_load_no_messages() -> None:
    """An engine says codes and renders nothing until its baseline fails."""
    script = (
        "import sys; import grader.engines.cuda.engine, grader.engines.emulator.engine, grader.profiling.sanitizer;"
        " print(*sys.modules, sep='\\n')"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    loaded = done.stdout.split()
    assert "grader.engines.emulator.findings.races" in loaded
    assert [name for name in loaded if name.partition(".")[0] == "babel" or "grader.messages" in name] == []
