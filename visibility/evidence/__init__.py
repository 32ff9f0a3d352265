"""Evidence: what answers, reviews and own pages show of how buyers choose."""
