"""The process inside a sandbox and its wire format. It knows no oracle, no seed and no store."""
