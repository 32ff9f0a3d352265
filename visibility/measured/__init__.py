"""The one reader of what was measured: what *now* means for a brand, and which answers stand behind it."""
