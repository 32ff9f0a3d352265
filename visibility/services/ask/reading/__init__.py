"""From a question's words to what it asks for: its language, its kinds, what it takes for granted. Pure."""
