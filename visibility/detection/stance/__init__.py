"""What an answer says of a name: its rank among the picks, advice for or against, and which of two it prefers."""
