"""Floor 2: brands, collaborators, competitors; who may see what."""

from django.apps import AppConfig


class BrandsConfig(AppConfig):
    name = "brands"
