"""Times a function of a program end to end on a real GPU, with the clock outside the program's process.

A process that runs a student's host code may forge every number that it states, so the judge believes bytes and its own
clock alone. ``program`` starts the process and runs repetitions, ``withheld`` keeps the inputs from it until the clock
starts, ``sources`` and ``main.cpp`` are the program's side, and ``floor`` is the program that only moves the bytes.
"""
