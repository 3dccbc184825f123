"""Folders and files to submissions."""
