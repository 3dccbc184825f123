"""The course in a browser: pages, forms and live updates over the services."""
