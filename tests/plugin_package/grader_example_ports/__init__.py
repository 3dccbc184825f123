"""Examples of a language, an engine and a sandbox that live outside Grader's own tree."""
