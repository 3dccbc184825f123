"""What a worker that an attacker controls can do, for tests of the sandboxes."""
