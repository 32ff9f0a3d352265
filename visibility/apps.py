"""Floor 3: what is measured."""

from django.apps import AppConfig


class VisibilityConfig(AppConfig):
    name = "visibility"
