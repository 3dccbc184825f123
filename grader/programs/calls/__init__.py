"""The calls of the runtime by what they are about: each group answers its own in the device process."""
