"""Detection: from the text of an answer to mentions, ranks, stances and citations. Knows no Django."""
