"""Ways to run device code behind one port."""
