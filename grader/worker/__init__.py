"""The process inside a sandbox and its wire format."""
