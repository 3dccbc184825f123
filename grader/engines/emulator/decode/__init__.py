"""PTX instructions to micro-operations."""
