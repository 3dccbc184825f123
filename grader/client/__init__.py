"""The client of a course's server: log in, submit, watch, read. It knows the JSON API and nothing of the server."""
