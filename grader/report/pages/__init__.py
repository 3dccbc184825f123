"""What people open in a browser: files of their own, without scripts and without a network."""
