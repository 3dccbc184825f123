"""Parse PTX text. This package covers the grammar, not the meaning of instructions."""
