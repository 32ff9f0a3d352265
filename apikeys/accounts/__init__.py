"""Who is calling and what they may spend: people, plans, keys, callers, quotas, repeated calls, signing in."""
