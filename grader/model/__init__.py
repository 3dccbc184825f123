"""Frozen value types that all packages share."""
