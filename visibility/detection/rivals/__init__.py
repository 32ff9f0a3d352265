"""Who else an answer recommends: names that nobody tracks yet."""
