"""Callers of the doors, for tests."""

from typing import Any


class Rest:
    """Calls of the REST API in this process."""

    def __init__(self, client: Any) -> None:
        self.client = client

    def get(self, path: str, key: str | None = None, **headers: str) -> Any:
        """GET below /api/v1, with a raw key."""
        return self.call("GET", f"/api/v1{path}", key, **headers)

    def call(self, method: str, address: str, key: str | None = None, **headers: str) -> Any:
        """Any method of any address, with a raw key; `_` in the name of a header is `-`."""
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.client.generic(method, address, headers=named)
