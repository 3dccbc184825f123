"""Kernels, and launches of them on the emulator without a lab."""
