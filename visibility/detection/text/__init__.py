"""An answer as a reader sees it: visible prose, lines, sentences and words, each with its place in the raw text."""
