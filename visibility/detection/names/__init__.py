"""Which of the letters in a text are the name that is looked for."""
