"""PTX text as values. Knows the grammar, nothing of what instructions do."""
