"""Resources to JSON bytes."""

from collections.abc import Mapping
from typing import Any

import orjson
from rest_framework.renderers import BaseRenderer

from apikeys.resources import Resource


class ResourceRenderer(BaseRenderer):
    """A Pydantic resource is written by Pydantic itself; what already has the form of one goes out as it is."""

    media_type = "application/json"
    format = "json"
    charset = None

    def render(
        self,
        data: Resource | Mapping[str, Any],
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        if not isinstance(data, Resource):
            return orjson.dumps(data)
        return data.__pydantic_serializer__.to_json(data, by_alias=True)
