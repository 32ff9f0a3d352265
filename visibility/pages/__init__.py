"""The web pages of all nouns: views, forms and charts. They show what the nouns' reads give, and compute nothing."""
