"""The version of the parser, apart from it: who stores what it says need not load it."""

PARSER_VERSION = 3
"""Raised with every change of what a page is found to say: pages that stay the same are parsed again then."""
