"""Frozen value types that every room shares."""
