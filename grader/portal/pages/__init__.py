"""The pages, one idea each: a table of rows, and the functions that answer."""
