"""Judge submissions: correctness, speed and points."""
