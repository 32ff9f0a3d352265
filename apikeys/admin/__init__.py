"""The operators' desk for accounts, plans, keys, apps, mails and the call log."""

from apikeys.admin import accounts, apps, keys, mails

__all__ = ["accounts", "apps", "keys", "mails"]
