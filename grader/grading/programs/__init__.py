"""Grade whole programs: build and run them in a sandbox on every case, and judge their answers outside.

``sandbox`` says where programs are built and run, ``forms`` how a program gets its inputs and gives its answer,
``case_run`` what one run came to, ``error_checks`` which failed calls it notices, and ``facts`` puts them together.
"""
