"""The REST API, version 1: five read-only endpoints."""
