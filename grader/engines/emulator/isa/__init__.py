"""The emulator's own instruction set: few typed micro-operations on rows of 32 lanes."""
