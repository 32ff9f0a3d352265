"""Facts for a question: the caller understands it, this finds the rows, what they rest on, and the next call."""
