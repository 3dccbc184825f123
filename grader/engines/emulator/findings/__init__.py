"""From what the interpreter noted and counted to what the student reads."""
