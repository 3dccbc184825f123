"""Use ``numba.cuda`` as a compiler without a GPU while student Python is imported and compiled.

Numba asks for a device although it needs only a compute capability; it gets a stub. Anything that needs a GPU
(launches, copies, streams) raises ``HostCall`` instead of a driver error.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import numba.cuda
from numba.cuda import compiler, decorators, dispatcher
from numba.cuda.core.sigutils import is_signature, normalize_signature
from numba.cuda.cudadrv import devices
from numba.cuda.dispatcher import CUDADispatcher

cuda: Any = numba.cuda
"""``numba.cuda`` as ``Any``: its type stubs are incomplete."""

COMPUTE_CAPABILITY = (7, 5)
"""The compute capability of every compilation: the PTX version that the emulator supports."""

__all__ = [
    "COMPUTE_CAPABILITY",
    "CUDADispatcher",
    "HostCall",
    "Signatures",
    "cuda",
    "no_device",
    "normalize_signature",
]

Signatures = list[Any]
"""The eager signatures given to a decorator, as the student wrote them."""


class HostCall(RuntimeError):  # noqa: N818 - its name does not appear in messages
    """Student code used the GPU during import. The text says which operation."""


class _Device:
    compute_capability = COMPUTE_CAPABILITY


class _NoGpu:
    """Replaces the driver and the runtime: any use raises ``HostCall``."""

    def __getattr__(self, name: str) -> NoReturn:
        msg = "the GPU is used"
        raise HostCall(msg)


def _refuse_launch(*_args: object, **_options: object) -> NoReturn:
    msg = "a kernel is launched"
    raise HostCall(msg)


@contextmanager
def no_device(declared: dict[int, Signatures]) -> Iterator[None]:
    """Context manager: replace Numba's device access by stubs.

    ``declared`` collects eager signatures by the ``id`` of their dispatcher. They do not reach Numba, because the lab's
    types decide. ``cache=True`` is dropped, because the files exist in memory only. Functions are compiled with line
    numbers, so that a finding in a device function is located there and not at the call. ``debug=True`` is dropped,
    because it excludes line numbers.
    """

    def jit(func_or_sig: object = None, *args: object, **options: object) -> Any:
        options.pop("cache", None)
        options.pop("debug", None)
        options["lineinfo"] = True
        if is_signature(func_or_sig):
            signatures = [func_or_sig]
        elif isinstance(func_or_sig, list):
            signatures = func_or_sig
        else:
            return real_jit(func_or_sig, *args, **options)

        def decorator(function: Callable[..., object]) -> Any:
            kernel = real_jit(function, *args, **options)
            declared[id(kernel)] = signatures
            return kernel

        return decorator

    real_jit: Any = decorators.jit
    device = _Device()
    replacements: list[tuple[object, str, object]] = [
        (dispatcher, "get_current_device", lambda: device),
        (compiler, "get_current_device", lambda: device),
        (devices, "_runtime", _NoGpu()),
        (devices, "driver", _NoGpu()),
        (CUDADispatcher, "call", _refuse_launch),
        (CUDADispatcher, "__call__", _refuse_launch),
        (cuda, "is_available", lambda: False),
        (cuda, "jit", jit),
        (decorators, "jit", jit),
    ]
    originals = [(owner, name, getattr(owner, name)) for owner, name, _ in replacements]
    try:
        for owner, name, value in replacements:
            setattr(owner, name, value)
        yield
    finally:
        for owner, name, value in originals:
            setattr(owner, name, value)
