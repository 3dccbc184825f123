"""Sandboxes: where untrusted code runs, behind one port."""
