"""Charts as SVG, and as PNG for slides and letters."""
