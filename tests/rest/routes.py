"""Every address that the resolver knows."""

import re

from django.urls import URLPattern, URLResolver, get_resolver


def routes(resolver=None, prefix="/"):
    """The templates of all addresses, such as `/api/v1/brands/{id}`; the admin's own are left to its tests."""
    for pattern in (resolver or get_resolver()).url_patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            yield re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route)
        elif isinstance(pattern, URLResolver) and route != "/admin/":
            yield from routes(pattern, route)
