"""Accounts, plans, keys, usage and the call log."""

from apikeys.models.accounts import Plan, Usage, User
from apikeys.models.idempotency import IdempotentCall
from apikeys.models.keys import ApiKey, CallLog

__all__ = ["ApiKey", "CallLog", "IdempotentCall", "Plan", "Usage", "User"]
