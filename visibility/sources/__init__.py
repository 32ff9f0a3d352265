"""Sources: what the answers cite."""
