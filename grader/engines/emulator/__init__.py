"""PTX on the CPU: the engine for machines without a GPU."""
