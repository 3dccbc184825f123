"""Parse PTX text. This package knows the grammar, not the meaning of instructions."""
