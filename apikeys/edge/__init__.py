"""What every request passes: rate limit, request id, the door that knows keys, errors, description, call log."""
