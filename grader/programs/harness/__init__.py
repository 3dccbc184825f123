"""Calls one function of a program, with inputs that the judge sends and an answer that goes back to it.

``main.cpp`` is linked with the student's files, and with our runtime or NVIDIA's. ``wire`` is its protocol, ``sources``
generates the call, and ``conversation`` is the judge's side.
"""
