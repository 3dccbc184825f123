"""Grade submissions: turn each one into a report, singly or in batches."""
