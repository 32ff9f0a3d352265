"""Addresses of pages, for what only people can do."""

from django.conf import settings
from django.urls import reverse


def page_address(name: str, *arguments: object) -> str:
    """The whole address of a page by the name of its route."""
    return f"{settings.PUBLIC_URL}{reverse(name, args=arguments)}"
