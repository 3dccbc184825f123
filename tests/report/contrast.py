"""Contrast as WCAG 2 defines it."""

from collections.abc import Sequence

_LINEAR_BELOW = 0.03928


def contrast(one: Sequence[int], other: Sequence[int]) -> float:
    """The contrast ratio (1..21) of two sRGB colours with channels 0..255."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(rgb: Sequence[int]) -> float:
    red, green, blue = (_linear(channel / 255) for channel in rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: float) -> float:
    return value / 12.92 if value <= _LINEAR_BELOW else ((value + 0.055) / 1.055) ** 2.4
