"""Where the checkout is, for tests that read its files."""

from pathlib import Path

CHECKOUT = Path(__file__).parents[1]
