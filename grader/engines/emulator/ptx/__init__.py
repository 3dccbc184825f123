"""PTX text as values: the grammar only, not the meaning of instructions."""
