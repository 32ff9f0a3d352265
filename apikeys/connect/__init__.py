"""Apps that people let in by signing in (OAuth 2.1): who they are, what they get, and the addresses they use."""
