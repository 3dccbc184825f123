"""The English texts, one module for each room or stage."""
