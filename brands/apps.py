"""The app of brands."""

from django.apps import AppConfig


class BrandsConfig(AppConfig):
    name = "brands"
