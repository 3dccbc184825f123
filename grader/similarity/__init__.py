"""How alike submissions are: fingerprints of their source and of their PTX, an index of them, and matching passages."""
