"""One submission to one report, and many of them."""
