"""Textures: buffers that a kernel reads through a sampler. Source: CUDA C++ Programming Guide, "Texture Memory"."""

from dataclasses import dataclass
from enum import StrEnum


class Filtering(StrEnum):
    """The value at a coordinate between texels."""

    POINT = "point"
    LINEAR = "linear"


class Addressing(StrEnum):
    """The value at a coordinate outside. ``WRAP`` and ``MIRROR`` need normalised coordinates, else act as ``CLAMP``."""

    CLAMP = "clamp"
    WRAP = "wrap"
    MIRROR = "mirror"
    BORDER = "border"


class Texel(StrEnum):
    """The type of one channel of a texel; the value is NumPy's name for it."""

    INT8 = "int8"
    UINT8 = "uint8"
    INT16 = "int16"
    UINT16 = "uint16"
    INT32 = "int32"
    UINT32 = "uint32"
    FLOAT16 = "float16"
    FLOAT32 = "float32"


CHANNELS = frozenset({1, 2, 4})
"""Channels that a texel may have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sampling:
    """How a texture is read.

    ``normalised``: coordinates run from 0 to 1. ``fetched``: it is linear memory, read only by ``tex1Dfetch``.
    """

    filtering: Filtering = Filtering.POINT
    addressing: Addressing = Addressing.CLAMP
    normalised: bool = False
    fetched: bool = False

    @classmethod
    def parse(cls, words: str) -> "Sampling":
        """Read a manifest's spelling, ``"linear, wrap, normalised"``. Raises: ``ValueError`` for an unknown word."""
        filtering, addressing, flags = Filtering.POINT, Addressing.CLAMP, set()
        for word in (part.strip() for part in words.split(",") if part.strip()):
            if word in set(Filtering):
                filtering = Filtering(word)
            elif word in set(Addressing):
                addressing = Addressing(word)
            elif word in {"normalised", "fetched"}:
                flags.add(word)
            else:
                known = ", ".join((*Filtering, *Addressing, "normalised", "fetched"))
                msg = f"{word!r} says nothing about a texture; use {known}"
                raise ValueError(msg)
        return cls(
            filtering=filtering,
            addressing=addressing,
            normalised="normalised" in flags,
            fetched="fetched" in flags,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Texture:
    """A launch argument: an INPUT buffer of the plan as a texture of one or two dimensions.

    ``texel`` says how the buffer's bytes are read. ``values_normalised``: 8- and 16-bit integers are read as numbers
    from 0 (or -1) to 1.
    """

    buffer: str
    dimensions: int
    texel: Texel = Texel.FLOAT32
    channels: int = 1
    sampling: Sampling = Sampling()
    values_normalised: bool = False

    def __post_init__(self) -> None:
        """Raises: ``ValueError`` for a combination that CUDA does not allow."""
        is_integer = "int" in self.texel.value
        is_small = is_integer and _itemsize(self.texel) in {1, 2}
        if self.dimensions not in {1, 2} or self.channels not in CHANNELS:
            msg = f"a texture has 1 or 2 dimensions and 1, 2 or 4 channels, not {self.dimensions} and {self.channels}"
        elif self.sampling.fetched and self.dimensions != 1:
            msg = "a texture that is fetched has one dimension"
        elif self.values_normalised and not is_small:
            msg = f"values of {self.texel} cannot be normalised"
        elif self.sampling.filtering is Filtering.LINEAR and is_integer and not self.values_normalised:
            msg = f"values of {self.texel} cannot be interpolated"
        else:
            return
        raise ValueError(msg)

    def extents(self, shape: tuple[int, ...], nbytes: int) -> tuple[int, int]:
        """Width and height in texels of a buffer of ``shape`` and ``nbytes``; the height is 1 in one dimension.

        Raises: ``ValueError`` if whole texels do not fill its rows.
        """
        height = shape[0] if self.dimensions > 1 else 1
        texel_bytes = self.channels * _itemsize(self.texel)
        width, rest = divmod(nbytes, height * texel_bytes)
        if rest:
            msg = f"texels of {texel_bytes} bytes do not fill the rows of {self.buffer}"
            raise ValueError(msg)
        return width, height


def _itemsize(texel: Texel) -> int:
    """Bytes of one channel; the digits at the end of the type's name give its bits."""
    return int(texel.value.lstrip("abcdefghijklmnopqrstuvwxyz")) // 8
