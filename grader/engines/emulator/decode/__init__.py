"""Decode PTX instructions into micro-operations."""
