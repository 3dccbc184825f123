"""BufferSetRotation where untrusted code may run, behind one port."""
