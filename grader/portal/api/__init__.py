"""The JSON API, version 1: one table of routes, from which the pages and ``openapi.json`` are made."""
