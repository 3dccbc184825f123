"""Record a GPU's results for every form: ``python -m tests.engines.emulator.golden.record FOLDER``.

Needs CuPy and NumPy, and no part of the grader. ``GRADER_COMMIT`` names the commit for the record. Takes about a
minute and writes ``hardware.xz``, which belongs in the folder of this file, and ``refused.txt`` with the forms that
the driver rejected.
"""

import os
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tests.engines.emulator.golden.form import KERNEL, LANES, Form
from tests.engines.emulator.golden.operands import operands
from tests.engines.emulator.golden.recording import HARDWARE, Recording, planes_of, write
from tests.engines.emulator.golden.suite import all_forms


def main() -> None:
    """Record into the folder given as argument. Exits with status 1 if a form was rejected."""
    import cupy  # noqa: PLC0415 - the rest of this folder works without a GPU

    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    results, refused = {}, []
    for form in all_forms():
        try:
            results[form.digest] = planes_of(form, _answers(cupy, form))
        except cupy.cuda.driver.CUDADriverError as error:
            refused.append(f"{form.name}: {error}")
    properties = cupy.cuda.runtime.getDeviceProperties(cupy.cuda.Device().id)
    provenance = {
        "recorded_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": os.environ.get("GRADER_COMMIT"),
        "device": properties["name"].decode(),
        "arch": f"sm_{properties['major']}{properties['minor']}",
        "cuda_driver_api": cupy.cuda.runtime.driverGetVersion(),
        "forms": len(results),
        "lanes": LANES,
    }
    write(folder / HARDWARE.name, Recording(provenance, results))
    (folder / "refused.txt").write_text("\n".join(refused) + "\n")
    print(provenance, f"{len(refused)} refused")  # noqa: T201 - the script's output
    sys.exit(1 if refused else 0)


def _answers(cupy: Any, form: Form) -> NDArray[np.uint64]:
    module = cupy.cuda.function.Module()
    module.load(form.ptx.encode())
    buffers = [cupy.asarray(row) for row in operands(form.ins)]
    result = cupy.zeros(LANES, cupy.uint64)
    module.get_function(KERNEL)((1, 1, 1), (LANES, 1, 1), (*buffers, result))
    words: NDArray[np.uint64] = cupy.asnumpy(result)
    return words


if __name__ == "__main__":
    main()
