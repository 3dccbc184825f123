"""Device code on a real GPU through CuPy."""
