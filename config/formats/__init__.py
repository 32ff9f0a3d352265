"""How dates are written in each language, in place of what Django brings."""
