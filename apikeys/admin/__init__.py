"""The operators' desk for accounts, plans, keys, apps and the call log."""

from apikeys.admin import accounts, apps, keys

__all__ = ["accounts", "apps", "keys"]
