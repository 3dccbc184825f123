"""The files of other systems: what they look like, how to read them, and how to fill them in."""
