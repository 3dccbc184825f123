"""The process inside a sandbox and its wire format. It has no access to oracles, seeds or the store."""
