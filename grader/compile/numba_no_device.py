"""What ``numba.cuda`` is while student Python is imported and compiled: a compiler with no GPU behind it.

Numba asks for a device where it only needs a compute capability; it gets a stand-in. Whatever would really use
a GPU (launches, copies, streams) stops with ``HostCall`` instead of a driver's error.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from grader.errors import UserError

try:
    import numba.cuda
    from numba.cuda import compiler, decorators, dispatcher
    from numba.cuda.core.sigutils import is_signature, normalize_signature
    from numba.cuda.cudadrv import devices
    from numba.cuda.dispatcher import CUDADispatcher
except ImportError as error:
    _problem = "Numba's CUDA compiler is not installed."
    raise UserError(_problem, hint="Install numba-cuda.") from error

cuda: Any = numba.cuda
"""``numba.cuda``, of whose names the type checker knows only some."""

COMPUTE_CAPABILITY = (7, 5)
"""What every kernel is compiled for: the emulator's dialect of PTX."""

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
"""The eager signatures that a decorator was given, as the student wrote them."""


class HostCall(RuntimeError):  # noqa: N818 - the student reads its text, not its name
    """Student code used the GPU while being imported. The text says what it called."""


class _Device:
    compute_capability = COMPUTE_CAPABILITY


class _NoGpu:
    """Stands in for the driver and the runtime: any use is a ``HostCall``."""

    def __getattr__(self, name: str) -> NoReturn:
        msg = "the GPU is used"
        raise HostCall(msg)


def _refuse_launch(*_args: object, **_options: object) -> NoReturn:
    msg = "a kernel is launched"
    raise HostCall(msg)


@contextmanager
def no_device(declared: dict[int, Signatures]) -> Iterator[None]:
    """Put the stand-ins in place; ``declared`` collects eager signatures by the ``id`` of their dispatcher.

    Eager signatures are set aside because the lab's types decide, and ``cache=True`` because a submission has no
    file to keep a cache beside. Every function keeps its line numbers, so that what happens in a device function is
    told at its own line and not at the call; ``debug=True``, which rules that out, is set aside as well.
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
