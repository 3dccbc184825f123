"""SVG plots, each with a text description."""
