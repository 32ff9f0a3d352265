"""Accounts, plans, keys, usage and the call log."""

from apikeys.models.accounts import LIMITS, Plan, Usage, User
from apikeys.models.idempotency import IdempotentCall
from apikeys.models.keys import ApiKey, CallLog

__all__ = ["LIMITS", "ApiKey", "CallLog", "IdempotentCall", "Plan", "Usage", "User"]
