"""Who is calling and what they may spend: keys, scopes, plans, quotas, rate limit, idempotency, call log."""
