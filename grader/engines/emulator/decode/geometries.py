"""Shapes of textures and surfaces, as PTX names them. Source: PTX ISA, "Texture Instructions"."""

from enum import StrEnum


class Geometry(StrEnum):
    """How texels are arranged. Cubemaps have six square faces; ``MEMORY`` is linear memory, read by an index."""

    MEMORY = "memory"
    LINE = "1d"
    PLANE = "2d"
    VOLUME = "3d"
    LINES = "a1d"
    PLANES = "a2d"
    CUBE = "cube"
    CUBES = "acube"

    @property
    def is_layered(self) -> bool:
        """Whether an index of a layer comes before the coordinates."""
        return self.value.startswith("a")

    @property
    def is_cube(self) -> bool:
        """Whether three coordinates name a direction."""
        return self in {Geometry.CUBE, Geometry.CUBES}

    @property
    def coordinates(self) -> int:
        """How many coordinates a read has, beside the layer."""
        return _COORDINATES[self]


_COORDINATES = {
    Geometry.MEMORY: 1,
    Geometry.LINE: 1,
    Geometry.PLANE: 2,
    Geometry.VOLUME: 3,
    Geometry.LINES: 1,
    Geometry.PLANES: 2,
    Geometry.CUBE: 3,
    Geometry.CUBES: 3,
}
