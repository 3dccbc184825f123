"""What Nsight Compute counts for every rung and every access pattern.

``python -m benchmarks.profile_rungs FOLDER``, on a machine with a GPU and ``ncu``, writes ``profile.json`` into
``FOLDER``, with the profiler's own output beside it. A counter that this ``ncu`` lacks is left out and named.
"""

import csv
import io
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from tools.pages import keep

SCHEMA_VERSION = 1

_SECONDS = 200
"""For the whole profiled program: building, launching and the passes over each kernel."""

COUNTERS = {
    "global_load_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
    "global_load_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum",
    "global_store_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
    "global_store_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum",
    "global_reduction_requests": "l1tex__t_requests_pipe_lsu_mem_global_op_red.sum",
    "global_reduction_sectors": "l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum",
    "shared_load_requests": "smsp__inst_executed_op_shared_ld.sum",
    "shared_store_requests": "smsp__inst_executed_op_shared_st.sum",
    "shared_load_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "shared_atomic_wavefronts": "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_atom.sum",
    "shared_load_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum",
    "shared_store_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum",
    "shared_atomic_conflicts": "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_atom.sum",
    "shared_wavefronts_by_instruction": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared.sum",
    "shared_wavefronts_by_instruction_ideal": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_ideal.sum",
    "shared_load_wavefronts_by_instruction": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum",
    "shared_store_wavefronts_by_instruction": "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum",
    "warp_instructions": "smsp__inst_executed.sum",
    "thread_instructions": "smsp__thread_inst_executed.sum",
    "registers": "launch__registers_per_thread",
}
"""Nsight Compute's names by ours. Those ``by_instruction`` leave out what other warps in the pipe add."""


def main() -> None:
    """Profile, and write what came of it."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    ncu = nsight_compute()
    known, unknown = _known_counters(ncu)
    manifest, report, log = (folder / name for name in ("launches.json", "profile.csv", "profile.log"))
    command = [
        *(ncu, "--csv", "--page", "raw", "--print-units", "base", "--print-fp"),
        *("--profile-from-start", "off", "--clock-control", "none", "--target-processes", "application-only"),
        *("--metrics", ",".join(known.values())),
        *("--log-file", str(report)),
        *(sys.executable, "-m", "benchmarks.profiled_launches", str(manifest)),
    ]
    with log.open("w") as output:
        done = subprocess.run(command, stdout=output, stderr=output, check=False, timeout=_SECONDS)
    if done.returncode or not manifest.is_file():
        sys.exit(
            f"ncu ended with {done.returncode}:\n{log.read_text()[-3000:]}\n{report.read_text()[-3000:]}"
        )
    launches = json.loads(manifest.read_text())
    document = {
        "schema_version": SCHEMA_VERSION,
        "provenance": launches["provenance"] | {"ncu": _version(ncu)},
        "counters": known,
        "unknown_counters": unknown,
        "failed": launches["failed"],
        "sizes": launches["sizes"],
        "kernels": matched(launches["launched"], rows(report.read_text()), known),
    }
    keep(document, folder / "profile.json")


def rows(report: str) -> list[dict[str, str]]:
    """The kernels of ``ncu --csv --page raw``, one dictionary of column to text each.

    Lines before the header are the profiler's own messages; the one after it holds units.
    """
    lines = report.splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith('"ID"'))
    return [row for row in csv.DictReader(io.StringIO("\n".join(lines[start:]))) if row["ID"]]


def matched(
    launched: list[dict[str, str]], profiled: list[dict[str, str]], counters: dict[str, str]
) -> dict[str, dict[str, float]]:
    """Counters by launch name, those of launches of one name added up; registers are those of the last.

    Raises: ``ValueError`` where the profiler saw other launches than were made.
    """
    if len(launched) != len(profiled):
        msg = f"{len(launched)} launches were made, {len(profiled)} profiled"
        raise ValueError(msg)
    found: dict[str, dict[str, float]] = {}
    for launch, row in zip(launched, profiled, strict=True):
        if not _same_kernel(launch["symbol"], row["Kernel Name"]):
            msg = f"{launch['name']} is {launch['symbol']}, the profiler saw {row['Kernel Name']}"
            raise ValueError(msg)
        totals = found.setdefault(launch["name"], {})
        for ours, theirs in counters.items():
            if row.get(theirs):
                before = 0.0 if ours == "registers" else totals.get(ours, 0.0)
                totals[ours] = before + float(row[theirs].replace(",", ""))
    return found


def _same_kernel(symbol: str, shown: str) -> bool:
    """``shown`` may be demangled: the last word before its first bracket then stands in the symbol."""
    words = re.findall(r"\w+", re.split(r"[(\[<]", shown)[0])
    return bool(words) and words[-1] in symbol


def nsight_compute() -> str:
    """The profiler. Raises: ``SystemExit`` where there is none."""
    for candidate in ("ncu", "/usr/local/cuda/bin/ncu"):
        if (path := shutil.which(candidate)) is not None:
            return path
    sys.exit("there is no ncu on the PATH, nor in /usr/local/cuda/bin")


def _known_counters(ncu: str) -> tuple[dict[str, str], list[str]]:
    """Those of ``COUNTERS`` that ``ncu`` knows for the GPU here, and the names of the others."""
    return known_counters(_output([ncu, "--query-metrics"]))


def known_counters(listed: str) -> tuple[dict[str, str], list[str]]:
    """The same, of what ``ncu --query-metrics`` printed: a name at the start of each line, without its suffix."""
    names = {line.split()[0] for line in listed.splitlines() if line.strip()}
    known = {
        ours: theirs
        for ours, theirs in COUNTERS.items()
        if theirs.split(".")[0] in names or theirs.startswith("launch__")
    }
    return known, sorted(set(COUNTERS.values()) - set(known.values()))


def _version(ncu: str) -> str:
    return _output([ncu, "--version"]).strip().splitlines()[-1]


def _output(command: list[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    return done.stdout


if __name__ == "__main__":
    main()
