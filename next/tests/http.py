"""Callers of the doors, for tests."""

from typing import Any


class Rest:
    """Calls of the REST API in this process."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def get(self, path: str, key: str | None = None, **headers: str) -> Any:
        """GET below /api/v1, with a raw key."""
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        return self.client.get(f"/api/v1{path}", headers=headers)
