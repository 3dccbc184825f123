"""CuPy, imported only when a GPU is really wanted: it is an optional dependency and takes a second to load."""

import importlib
import os
from typing import Any

from grader.errors import UserError

INSTALL = (
    'Install it from the checkout: `pip install --constraint constraints.txt ".[gpu-cuda13]"` '
    "(or `gpu-cuda12` for an older driver)."
)

NO_GPU = "Check that `nvidia-smi` lists a GPU here, or use `--engine emulator`."


def load_cupy() -> Any:
    """The ``cupy`` package with at least one usable GPU behind it. Raises: ``UserError`` saying what is missing."""
    # Loading a kernel lazily may wait for those that run already: with an endless one first, for ever.
    os.environ.setdefault("CUDA_MODULE_LOADING", "EAGER")
    try:
        cupy = importlib.import_module("cupy")
    except ImportError as error:
        msg = f"the cuda engine needs CuPy, which cannot be imported ({error})."
        raise UserError(msg, hint=INSTALL) from error
    try:
        count = cupy.cuda.runtime.getDeviceCount()
    except cupy.cuda.runtime.CUDARuntimeError as error:
        msg = f"the cuda engine finds no usable GPU ({error})."
        raise UserError(msg, hint=NO_GPU) from error
    if count == 0:
        msg = "the cuda engine finds no GPU."
        raise UserError(msg, hint=NO_GPU)
    return cupy
