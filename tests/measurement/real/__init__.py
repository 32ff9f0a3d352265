"""The detector beside labels of real answers that other hands made."""
