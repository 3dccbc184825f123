"""``python -m grader.cli``: the command line for programs that start it with their own interpreter."""

from grader.cli.app import main

main()
