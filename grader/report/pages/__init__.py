"""Self-contained HTML pages without scripts or network access."""
