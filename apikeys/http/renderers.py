"""Resources to JSON bytes."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

from apikeys.db.written import Written
from apikeys.resources import Resource


class ResourceRenderer(BaseRenderer):
    """A Pydantic resource is written by Pydantic itself; one that is written already goes out as it is."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Resource | Written[Any],
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if isinstance(data, Written):
            return data.json
        return data.__pydantic_serializer__.to_json(data, by_alias=True)
