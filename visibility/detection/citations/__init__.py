"""What an answer cites: canonical pages, their class, and the sentences that they support."""
