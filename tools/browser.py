"""Open pages in headless Chromium, each in a frame of a given width, and run a script on each."""

import html
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHROMIUM = shutil.which("chromium")

_FRAME = """<script>
function opened{number}(frame) {{
  const page = frame.contentWindow, found = {{}};
  try {{
    ((page, document, found) => {{ {script} }})(page, page.document, found);
  }} catch (error) {{
    found.error = String(error);
  }}
  document.body.append(Object.assign(document.createElement("output"), {{ value: JSON.stringify([{number}, found]) }}));
}}
</script>
<iframe onload="opened{number}(this)" width="{width}" height="{height}" style="border:0"
  src="{number}.html{fragment}"></iframe>
"""
_OUTPUT = re.compile(r"<output>(.*?)</output>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """A page to open, with a ``fragment`` of its address such as ``#lab=1``.

    ``script`` sees ``page`` (its window) and ``document``, and puts what it finds into ``found``.
    """

    page: str
    script: str
    width: int
    height: int = 844
    fragment: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observed:
    """What the script of each frame found, and the browser's messages, such as violations of a page's policy."""

    found: tuple[dict[str, Any], ...]
    console: tuple[str, ...]


def version() -> str:
    """Name and release of the browser. Raises: ``OSError`` without one."""
    done = subprocess.run([str(CHROMIUM), "--version"], capture_output=True, text=True, check=True)
    return " ".join(done.stdout.split()[:2])


def observe(frames: Sequence[Frame]) -> Observed:
    """Open all ``frames`` in one browser.

    Raises: ``OSError`` without a browser; ``RuntimeError`` if a script failed.
    """
    parts = (
        _FRAME.format(
            number=number,
            script=frame.script,
            width=frame.width,
            height=frame.height,
            fragment=html.escape(frame.fragment),
        )
        for number, frame in enumerate(frames)
    )
    with tempfile.TemporaryDirectory() as folder:
        for number, frame in enumerate(frames):
            (Path(folder) / f"{number}.html").write_text(frame.page, encoding="utf-8")
        file = Path(folder) / "frames.html"
        file.write_text(f'<!doctype html><meta charset="utf-8"><body>{"".join(parts)}', encoding="utf-8")
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom"]
        # The outer page may look into its frames.
        options.append("--allow-file-access-from-files")
        command = [str(CHROMIUM), *options, f"--user-data-dir={folder}/profile", file.as_uri()]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    # The scripts are in the dump as raw text, which has no "<output>".
    outputs = dict(json.loads(html.unescape(text)) for text in _OUTPUT.findall(done.stdout))
    for number in range(len(frames)):
        found = outputs.get(number, {"error": "it found nothing"})
        if "error" in found:
            msg = f"the script of frame {number} failed: {found['error']}"
            raise RuntimeError(msg)
    return Observed(
        found=tuple(outputs[number] for number in range(len(frames))),
        console=tuple(line for line in done.stderr.splitlines() if "CONSOLE" in line),
    )
