"""How a student's own host code launches its kernels: read from the source, never run.

``values`` are the launches and their expressions in either language. ``c_program`` and ``python_program`` read them,
``geometry_text`` writes them as launch directives, ``choice`` picks one of several.
"""
