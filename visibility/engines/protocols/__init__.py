"""How each protocol asks and what its bodies say, a module a protocol. No network here."""
