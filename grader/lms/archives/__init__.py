"""Exports of submissions from learning management systems, as values."""
