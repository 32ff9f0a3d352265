"""The operators' desk for accounts, plans, keys and the call log."""

from apikeys.admin import accounts, keys

__all__ = ["accounts", "keys"]
