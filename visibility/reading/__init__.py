"""Reading: what answers and reviews mean, as rows that a reader returns and code checks and counts."""
