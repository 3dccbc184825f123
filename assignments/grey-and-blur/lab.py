"""A grey picture of a coloured image, and a picture in which each pixel is the mean of its neighbourhood."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grader.labs import Arrays, Case, Expected, Lab

_WEIGHTS = np.array([0.299, 0.587, 0.114])
_WHITE = 255


class GreyAndBlur(Lab):
    """``image`` has red, green, blue and alpha; ``picture`` is grey and does not depend on it."""

    def inputs(self, case: Case, rng: np.random.Generator) -> Arrays:
        """Draw an image and a picture of the kind that the case names."""
        rows, cols = case.sizes["rows"], case.sizes["cols"]
        channels: NDArray[Any]
        match case.inputs:
            case "noise":
                channels = rng.integers(0, _WHITE + 1, (5, rows, cols))
            case "photograph":
                channels = np.stack([_photograph(rows, cols, rng) for _ in range(5)])
            case "white":
                channels = np.full((5, rows, cols), _WHITE)
            case "green":
                channels = np.zeros((5, rows, cols), int)
                channels[1], channels[4] = _WHITE, rng.integers(0, _WHITE + 1, (rows, cols))
            case unknown:
                msg = f"unknown kind of image {unknown!r}"
                raise ValueError(msg)
        pixels = channels.astype(np.uint8)
        return {"image": np.moveaxis(pixels[:4], 0, -1), "picture": pixels[4]}

    def oracle(self, case: Case, inputs: Mapping[str, NDArray[Any]]) -> dict[str, Expected]:
        """The nearest whole numbers, one off at most."""
        grey = inputs["image"][..., :3].astype(np.float64) @ _WEIGHTS
        picture, radius = inputs["picture"].astype(np.int64), case.sizes["radius"]
        mean = _window_sums(picture, radius) / _window_sums(np.ones_like(picture), radius)
        return {
            "out": Expected(np.rint(grey).astype(np.int64), atol=1),
            "blurred": Expected(np.rint(mean).astype(np.int64), atol=1),
        }


def _photograph(rows: int, cols: int, rng: np.random.Generator) -> NDArray[Any]:
    """Brightness that changes slowly, with some noise and a hard edge."""
    y, x = np.mgrid[0:rows, 0:cols]
    wave = np.sin(x / rng.uniform(5, 40) + rng.uniform(0, 6)) + np.sin(
        y / rng.uniform(5, 40) + rng.uniform(0, 6)
    )
    edge = 60 * (x > cols * rng.uniform(0.3, 0.7))
    picture: NDArray[Any] = np.clip(100 + 40 * wave + edge + rng.normal(0, 6, (rows, cols)), 0, _WHITE)
    return picture


def _window_sums(picture: NDArray[np.int64], radius: int) -> NDArray[np.int64]:
    """For each pixel, the sum over those at most ``radius`` rows and columns away that exist."""
    for axis in (0, 1):
        length = picture.shape[axis]
        sums = np.cumsum(np.insert(picture, 0, 0, axis), axis)
        at = np.arange(length)
        high, low = np.minimum(at + radius + 1, length), np.maximum(at - radius, 0)
        picture = sums.take(high, axis) - sums.take(low, axis)
    return picture
