"""What operators need to see of the whole service: whether work moves, what providers refuse, what it costs."""
