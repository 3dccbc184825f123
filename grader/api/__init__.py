"""The documents of the JSON API, version 1: what the portal writes and its clients read."""
