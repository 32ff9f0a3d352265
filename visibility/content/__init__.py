"""Content: what is worth writing, briefs and drafts of it, and prompts as buyers ask."""
