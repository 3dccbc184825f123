"""Named input distributions shared by the built-in labs. A lab may also define its own."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Float32 = NDArray[np.float32]
_Draw = Callable[[tuple[int, ...], np.random.Generator], NDArray[np.float64]]

_HUGE_EXPONENTS = (10.0, 30.0)
_TINY_EXPONENTS = (-42.0, -30.0)
_ONE_HUGE = 1e5
_INFINITE_SHARE = 1 / 8


def draw(name: str, shape: tuple[int, ...], rng: np.random.Generator) -> Float32:
    """Draw a float32 array of ``shape`` from the distribution called ``name``.

    Raises: ``ValueError`` that lists the known distributions.
    """
    try:
        distribution = DISTRIBUTIONS[name]
    except KeyError:
        msg = f"unknown input distribution {name!r}; there are {', '.join(sorted(DISTRIBUTIONS))}"
        raise ValueError(msg) from None
    return distribution(shape, rng).astype(np.float32)


def _normal(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw standard normal numbers: terms cancel, so partial sums stay small and rounding errors are visible."""
    return rng.standard_normal(shape)


def _negative(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw from [-2, -0.5): nothing cancels, and a wrong start or padding value of zero changes the result."""
    return -rng.uniform(0.5, 2.0, shape)


def _equal(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Repeat one number everywhere, an odd multiple of 1/8 below 2.

    So few significant bits make float32 sums exact in any order up to 2**20 terms. A number with more bits would not
    work: repeated addition rounds the same way each time, and the sum of a correct kernel would drift.
    """
    return np.full(shape, (2 * rng.integers(0, 8) + 1) / 8)


def _huge(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Spread magnitudes over 1e10..1e30, either sign; 1e8 of them together cannot overflow."""
    return _log_uniform(_HUGE_EXPONENTS, shape, rng)


def _tiny(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Spread magnitudes over 1e-42..1e-30, either sign: about a third of them are subnormal in float32."""
    return _log_uniform(_TINY_EXPONENTS, shape, rng)


def _one_huge(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw standard normal numbers, with one of 1e5 somewhere in each row."""
    values = rng.standard_normal(shape)
    positions = rng.integers(0, shape[-1], (*shape[:-1], 1))
    np.put_along_axis(values, positions, _ONE_HUGE, axis=-1)
    return values


def _infinite(shape: tuple[int, ...], rng: np.random.Generator) -> NDArray[np.float64]:
    """Draw standard normal numbers with infinities, in five patterns that repeat row by row.

    The patterns: some minus infinities; some plus infinities; some of both; only minus infinity; only plus infinity.
    """
    values = rng.standard_normal(shape)
    some = rng.random(shape) < _INFINITE_SHARE
    both = np.where(rng.random(shape) < 1 / 2, -np.inf, np.inf)
    mixtures = [
        np.where(some, -np.inf, values),
        np.where(some, np.inf, values),
        np.where(some, both, values),
        np.full(shape, -np.inf),
        np.full(shape, np.inf),
    ]
    row = np.arange(values[..., 0].size).reshape(*shape[:-1], 1)
    return np.choose(row % len(mixtures), mixtures)


def _log_uniform(
    exponents: tuple[float, float], shape: tuple[int, ...], rng: np.random.Generator
) -> NDArray[np.float64]:
    magnitudes = np.power(10.0, rng.uniform(*exponents, shape))
    return np.copysign(magnitudes, rng.uniform(-1.0, 1.0, shape))


DISTRIBUTIONS: dict[str, _Draw] = {
    "normal": _normal,
    "negative": _negative,
    "equal": _equal,
    "huge": _huge,
    "tiny": _tiny,
    "one-huge": _one_huge,
    "infinite": _infinite,
}
"""Every distribution, by its name in a case's ``inputs``."""
