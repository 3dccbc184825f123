"""How often one visitor may do what is costly or guessable."""

from grader.course.usage import Rate

SIGN_IN = Rate(name="sign in", burst=400, seconds=1.0)
"""Tries to sign in from one address, which a whole lecture hall may share."""

PASSWORD = Rate(name="password of one person", burst=10, seconds=30.0)
"""Guesses at the password of one person, from wherever they come."""

DEVICE_POLL = Rate(name="device poll", burst=60, seconds=1.0)
"""Programs that ask whether their code is confirmed; a whole lab room may share an address."""

UPLOAD = Rate(name="upload", burst=20, seconds=3.0)
"""Submissions."""
