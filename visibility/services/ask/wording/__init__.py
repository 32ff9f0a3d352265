"""The sentences of answers: which there are (`keys`), how they are written (`templates`), and said (`saying`)."""
