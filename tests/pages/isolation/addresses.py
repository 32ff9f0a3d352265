"""Every address of the service, as the URL configuration has it: what is new is here by itself."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.urls import URLPattern, URLResolver, get_resolver

ARGUMENT = re.compile(r"<(?:\w+:)?(\w+)>")
GROUP = re.compile(r"\(\?P(<\w+>)(?:[^()]|\([^)]*\))*\)")
"""An argument of an address that is a regular expression."""


@dataclass(frozen=True)
class Address:
    """One address: its route with the arguments in it, the name that links use, and the view."""

    route: str
    name: str
    view: Any

    def __str__(self) -> str:
        return f"/{self.route}"

    @property
    def arguments(self) -> list[str]:
        """The names of the arguments in the route."""
        return ARGUMENT.findall(self.route)

    @property
    def is_csrf_exempt(self) -> bool:
        """Whether a form needs no token here."""
        return bool(getattr(self.view, "csrf_exempt", False))

    def path(self, arguments: Mapping[str, Any]) -> str:
        """The path with these arguments. Raises KeyError for one that is not among them."""
        return "/" + ARGUMENT.sub(lambda match: str(arguments[match[1]]), self.route)


def all_addresses() -> list[Address]:
    """All of them, in the order of the configuration."""
    return list(_walk(get_resolver().url_patterns, "", ""))


def _walk(patterns: list[Any], route: str, namespace: str) -> Iterator[Address]:
    for pattern in patterns:
        whole = route + GROUP.sub(r"\1", str(pattern.pattern)).strip("^$")
        if isinstance(pattern, URLResolver):
            inner = f"{namespace}{pattern.namespace}:" if pattern.namespace else namespace
            yield from _walk(pattern.url_patterns, whole, inner)
        elif isinstance(pattern, URLPattern):
            yield Address(whole, f"{namespace}{pattern.name}" if pattern.name else "", pattern.callback)
