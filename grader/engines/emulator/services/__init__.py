"""Services that Python provides to the interpreter: text, the heap, textures, matrices."""
