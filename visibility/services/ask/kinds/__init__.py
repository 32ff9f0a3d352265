"""What is known of each kind of question: one reader a kind, from the service that its tool uses."""
