"""Plots as SVG, with the same in words beside them."""
