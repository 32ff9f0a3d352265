"""The app of what is measured."""

from django.apps import AppConfig


class VisibilityConfig(AppConfig):
    name = "visibility"
