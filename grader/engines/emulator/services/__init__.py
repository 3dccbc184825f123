"""What the interpreter leaves to Python: text, the heap, textures, matrices."""
