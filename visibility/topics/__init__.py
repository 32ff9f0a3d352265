"""Topics: the needs that prompts are about, and which of them the brand sells."""
