"""The emulator's own instruction set: a small set of typed micro-operations on rows of 32 lanes."""
