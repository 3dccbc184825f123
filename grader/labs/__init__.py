"""The public plugin API of labs, and their registry."""
