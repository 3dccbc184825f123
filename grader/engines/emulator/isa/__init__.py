"""The interpreter's instruction set: a small number of typed micro-operations on rows of 32 lanes."""
