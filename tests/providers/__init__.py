"""A provider of AI answers on loopback, as a process of its own, that fails as it is told to."""
