"""Every address that the resolver knows."""

import re

from django.urls import URLResolver, get_resolver


def routes(resolver=None, prefix="/"):
    """The templates of all addresses, such as `/api/v1/brands/{id}`; the admin's own are left to its tests."""
    found = []
    for pattern in (resolver or get_resolver()).url_patterns:
        route = prefix + str(pattern.pattern)
        if route == "/admin/":
            continue
        if isinstance(pattern, URLResolver):
            found += routes(pattern, route)
        else:
            found.append(re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", route))
    return found
